import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * The messages of event files, by the numbers of their fields: event.proto, summary.proto and tensor.proto of
 * TensorFlow, and plugin_data.proto of TensorBoard's hparams.
 */
type ReadField = (reader: BinaryReader, wireType: WireType) => void;

/** Gives each field of a message to its reader; others are passed over. Throws on bytes that are no message. */
function readFields(bytes: Uint8Array, fields: Readonly<Record<number, ReadField>>): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read === undefined) reader.skip(wireType, number);
    else read(reader, wireType);
  }
}

export interface TensorboardEvent {
  wallTimeS: number;
  step: number;
  readonly values: SummaryValue[];
}

export interface SummaryValue {
  tag: string;
  scalar?: number;
  plugin?: string;
  /** What the plugin stores of its own. */
  content?: Uint8Array;
  tensor?: Uint8Array;
  /** The name of another content, such as `image`. */
  other?: string;
}

export function readEvent(bytes: Uint8Array): TensorboardEvent {
  const event: TensorboardEvent = { wallTimeS: 0, step: 0, values: [] };
  readFields(bytes, {
    1: (reader) => (event.wallTimeS = reader.double()),
    2: (reader) => (event.step = Number(reader.int64())),
    5: (reader) => readFields(reader.bytes(), { 1: (inner) => event.values.push(readValue(inner.bytes())) }),
  });
  return event;
}

function readValue(bytes: Uint8Array): SummaryValue {
  const value: SummaryValue = { tag: '' };
  const readOther =
    (name: string): ReadField =>
    (reader, wireType) => {
      value.other = name;
      reader.skip(wireType);
    };
  readFields(bytes, {
    1: (reader) => (value.tag = reader.string()),
    2: (reader) => (value.scalar = reader.float()),
    4: readOther('images'),
    5: readOther('histograms'),
    6: readOther('audio'),
    8: (reader) => (value.tensor = reader.bytes()),
    9: (reader) => readMetadata(reader.bytes(), value),
  });
  return value;
}

function readMetadata(bytes: Uint8Array, value: SummaryValue): void {
  readFields(bytes, {
    1: (reader) =>
      readFields(reader.bytes(), {
        1: (inner) => (value.plugin = inner.string()),
        2: (inner) => (value.content = inner.bytes()),
      }),
  });
}

const [FLOAT, DOUBLE, INT32, INT64] = [1, 2, 3, 9];

export interface Tensor {
  readonly numbers: number[];
  readonly texts: string[];
}

/** The numbers of a tensor of one of the types that scalars have, or its texts. */
export function readTensor(bytes: Uint8Array): Tensor {
  const tensor: Tensor = { numbers: [], texts: [] };
  let type = 0;
  let content: Uint8Array | undefined;
  const readAll =
    (read: (reader: BinaryReader) => number): ReadField =>
    (reader, wireType) => {
      if (wireType !== WireType.LengthDelimited) {
        tensor.numbers.push(read(reader));
        return;
      }
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) tensor.numbers.push(read(reader));
    };
  readFields(bytes, {
    1: (reader) => (type = reader.int32()),
    4: (reader) => (content = reader.bytes()),
    5: readAll((reader) => reader.float()),
    6: readAll((reader) => reader.double()),
    7: readAll((reader) => reader.int32()),
    8: (reader) => tensor.texts.push(new TextDecoder().decode(reader.bytes())),
    10: readAll((reader) => Number(reader.int64())),
  });
  if (content !== undefined) tensor.numbers.push(...readContent(content, type));
  return tensor;
}

/** The first number of the bytes of an array: a scalar has no other. */
function readContent(content: Uint8Array, type: number): number[] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (type === FLOAT && view.byteLength >= 4) return [view.getFloat32(0, true)];
  if (type === DOUBLE && view.byteLength >= 8) return [view.getFloat64(0, true)];
  if (type === INT32 && view.byteLength >= 4) return [view.getInt32(0, true)];
  if (type === INT64 && view.byteLength >= 8) return [Number(view.getBigInt64(0, true))];
  return [];
}

export type HparamValue = string | number | boolean | null;

/** What the plugin hparams stores of a run. */
export interface Hparams {
  readonly values: Map<string, HparamValue>;
  /** 1: it succeeded, 2: it failed. */
  status?: number;
}

export function readHparams(bytes: Uint8Array): Hparams {
  const hparams: Hparams = { values: new Map() };
  readFields(bytes, {
    3: (reader) => readFields(reader.bytes(), { 1: (inner) => readEntry(inner.bytes(), hparams.values) }),
    4: (reader) => readFields(reader.bytes(), { 1: (inner) => (hparams.status = inner.int32()) }),
  });
  return hparams;
}

function readEntry(bytes: Uint8Array, values: Map<string, HparamValue>): void {
  let key = '';
  let value: HparamValue = null;
  readFields(bytes, {
    1: (reader) => (key = reader.string()),
    2: (reader) =>
      readFields(reader.bytes(), {
        2: (inner) => (value = inner.double()),
        3: (inner) => (value = inner.string()),
        4: (inner) => (value = inner.bool()),
      }),
  });
  values.set(key, value);
}
