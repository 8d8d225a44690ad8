import type { ParserState } from './renderer-state.js';
import { applySgr } from './sgr.js';
import { findStringEnd, isCsiFinal, isPlainParameters } from './sequence-text.js';
import type { Screen } from './screen.js';

/** A longer control string (OSC, DCS, …) or CSI was never meant as one: it is shown as text. UTF-16 units. */
const STRING_LIMIT = 64 * 1024;
const CSI_LIMIT = 1024;
const COUNT_LIMIT = 1_000_000;

// eslint-disable-next-line no-control-regex -- control characters are what it finds
const CONTROL = /[\0-\x1f\x7f]/g;
const CSI_PARTS = /^([<=>?]?)([0-9:;]*)([ -/]*)$/;

const STATES = ['ground', 'escape', 'charset', 'csi', 'string', 'string-escape'] as const;
type State = (typeof STATES)[number];

/** Acts on the first numeric parameter, at least 1. */
type Count = (screen: Screen, count: number) => void;
/** Control sequences whose parameter is a count that defaults to 1. */
const COUNTED = new Map<string, Count>([
  ['A', (screen, count) => screen.moveUp(count)],
  ['B', (screen, count) => screen.moveDown(count)],
  ['C', (screen, count) => screen.moveRight(count)],
  ['D', (screen, count) => screen.moveLeft(count)],
  ['E', (screen, count) => screen.moveToLine(count)],
  ['F', (screen, count) => screen.moveToLine(-count)],
  ['G', (screen, count) => screen.moveToColumn(count - 1)],
  ['`', (screen, count) => screen.moveToColumn(count - 1)],
  ['a', (screen, count) => screen.moveRight(count)],
  ['d', (screen, count) => screen.moveToAbsoluteRow(count - 1)],
  ['L', (screen, count) => screen.insertLines(count)],
  ['M', (screen, count) => screen.deleteLines(count)],
  ['P', (screen, count) => screen.deleteColumns(count)],
  ['X', (screen, count) => screen.eraseColumns(count)],
  ['@', (screen, count) => screen.insertColumns(count)],
  ['S', (screen, count) => screen.scrollUp(count)],
  ['T', (screen, count) => screen.scrollDown(count)],
]);

type Simple = (screen: Screen) => void;
const ESCAPES = new Map<string, Simple>([
  ['7', (screen) => screen.saveCursor()],
  ['8', (screen) => screen.restoreCursor()],
  ['D', (screen) => screen.index()],
  ['E', (screen) => screen.lineFeed()],
  ['M', (screen) => screen.reverseIndex()],
  ['c', (screen) => screen.reset()],
]);
const CONTROLS = new Map<string, Simple>([
  ['\b', (screen) => screen.backspace()],
  ['\t', (screen) => screen.tab()],
  ['\n', (screen) => screen.lineFeed()],
  ['\v', (screen) => screen.lineFeed()],
  ['\f', (screen) => screen.lineFeed()],
  ['\r', (screen) => screen.carriageReturn()],
]);

/** Reads text with control sequences, cut anywhere, and obeys them on a screen. */
export class EscapeParser {
  #state: State = 'ground';
  /** The parameters of the CSI, or the content of the string, so far. */
  #collected: string[] = [];
  #collectedUnits = 0;
  /** Kind of string: `]` OSC, `P` DCS, `X` SOS, `^` PM, `_` APC. */
  #stringKind = '';

  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get isGround(): boolean {
    return this.#state === 'ground';
  }

  feed(text: string): void {
    let i = 0;
    while (i < text.length) {
      if (this.#state !== 'ground') {
        i = this.#readSequence(text, i);
        continue;
      }
      CONTROL.lastIndex = i;
      const end = CONTROL.test(text) ? CONTROL.lastIndex - 1 : text.length;
      if (end > i) this.#screen.print(text.slice(i, end));
      if (end < text.length) this.#control(text.charAt(end));
      i = end + 1;
    }
  }

  /** Shows a string that was never closed. */
  end(): void {
    if (this.#state === 'string' || this.#state === 'string-escape') this.#showCollected();
    this.#state = 'ground';
  }

  /** Forgets the beginning of a control sequence or string: it will not be shown, even if it turns out to be text. */
  forgetCollected(): void {
    this.#collected = [];
  }

  /** Undefined when no sequence has begun. */
  takeState(): ParserState | undefined {
    if (this.#state === 'ground') return undefined;
    return { state: this.#state, kind: this.#stringKind, collected: this.#collected.join('') };
  }

  restore({ state, kind, collected }: ParserState): void {
    this.#state = STATES.find((each) => each === state) ?? 'ground';
    this.#stringKind = kind;
    this.#collected = collected === '' ? [] : [collected];
    this.#collectedUnits = collected.length;
  }

  #control(char: string): void {
    if (char === '\x1b') this.#state = 'escape';
    else CONTROLS.get(char)?.(this.#screen);
  }

  /** Continues a sequence at `i`; returns the place behind the characters it took. */
  #readSequence(text: string, i: number): number {
    if (this.#state === 'csi') return this.#readCsi(text, i);
    if (this.#state === 'string') return this.#readString(text, i);
    const char = text.charAt(i);
    if (this.#state === 'string-escape') {
      this.#collected = [];
      if (char === '\\') {
        this.#state = 'ground';
        return i + 1;
      }
      this.#state = 'escape';
    }
    return this.#readEscape(char) ? i + 1 : i;
  }

  /** Reads the character after ESC, or after ESC and intermediates. False: the sequence ends before it. */
  #readEscape(char: string): boolean {
    if (char < ' ') {
      if (char === '\x18' || char === '\x1a') this.#state = 'ground';
      else this.#control(char);
      return true;
    }
    if (char <= '/') this.#state = 'charset';
    else if (char > '~') {
      if (char === '\x7f') return true;
      this.#state = 'ground';
      return false;
    } else if (this.#state === 'charset') this.#state = 'ground';
    else this.#finishEscape(char);
    return true;
  }

  #finishEscape(char: string): void {
    this.#state = 'ground';
    if (char === '[') this.#collect('csi', char);
    else if (char === ']' || char === 'P' || char === 'X' || char === '^' || char === '_')
      this.#collect('string', char);
    else ESCAPES.get(char)?.(this.#screen);
  }

  #collect(state: State, kind: string): void {
    this.#state = state;
    this.#stringKind = kind;
    if (this.#collected.length > 0) this.#collected = [];
    this.#collectedUnits = 0;
  }

  #readCsi(text: string, start: number): number {
    let i = start;
    let code = text.charCodeAt(i);
    while (code >= 0x20 && code < 0x40) code = text.charCodeAt(++i);
    if (isCsiFinal(code) && this.#collectedUnits === 0 && i - start <= CSI_LIMIT) {
      this.#state = 'ground';
      this.#runCsi(text.charAt(i), text.slice(start, i));
      return i + 1;
    }
    if (i > start) this.#keep(text.slice(start, i));
    return i >= text.length || !this.#isInCsi() ? i : this.#leaveCsi(text, i, code);
  }

  /** Takes the first character of a CSI that is not a parameter. */
  #leaveCsi(text: string, i: number, code: number): number {
    if (isCsiFinal(code)) {
      this.#state = 'ground';
      this.#runCsi(text.charAt(i), this.#takeCollected());
    } else if (code > 0x7f) {
      this.#state = 'ground';
      return i;
    } else if (code === 0x18 || code === 0x1a) this.#state = 'ground';
    else if (code < 0x20) this.#control(text.charAt(i));
    return i + 1;
  }

  #isInCsi(): boolean {
    return this.#state === 'csi';
  }

  #runCsi(final: string, raw: string): void {
    if (final === 'm' && isPlainParameters(raw)) {
      this.#screen.style = applySgr(this.#screen.style, raw);
      return;
    }
    const counted = COUNTED.get(final);
    if (raw === '' && counted !== undefined) {
      counted(this.#screen, 1);
      return;
    }
    const parts = CSI_PARTS.exec(raw);
    if (parts !== null) this.#runParsed(final, parts[1] ?? '', parts[2] ?? '', parts[3] ?? '');
  }

  #runParsed(final: string, prefix: string, list: string, intermediates: string): void {
    const numbers = list.split(';', 16).map((item) => Math.min(Number.parseInt(item, 10) || 0, COUNT_LIMIT));
    const counted = COUNTED.get(final);
    if (intermediates !== '') {
      if (intermediates === '!' && final === 'p') this.#screen.resetModes();
    } else if (prefix === '?') this.#runPrivate(final, numbers);
    else if (prefix === '') {
      if (counted === undefined) this.#runOther(final, numbers);
      else counted(this.#screen, Math.max(1, numbers[0] ?? 1));
    }
  }

  #runPrivate(final: string, numbers: readonly number[]): void {
    if (final === 'J') this.#screen.eraseDisplay(numbers[0] ?? 0);
    if (final === 'K') this.#screen.eraseLine(numbers[0] ?? 0);
    const isAlternate = numbers.some((mode) => mode === 47 || mode === 1047 || mode === 1049);
    if (isAlternate && (final === 'h' || final === 'l')) this.#screen.setAlternate(final === 'h');
  }

  #runOther(final: string, numbers: readonly number[]): void {
    const first = numbers[0] ?? 0;
    const second = numbers[1] ?? 0;
    switch (final) {
      case 'H':
      case 'f':
        this.#screen.moveTo(Math.max(1, first) - 1, Math.max(1, second) - 1);
        break;
      case 'J':
        this.#screen.eraseDisplay(first);
        break;
      case 'K':
        this.#screen.eraseLine(first);
        break;
      case 'r':
        this.#screen.setMargins(Math.max(1, first) - 1, second === 0 ? Infinity : second - 1);
        break;
      case 's':
        this.#screen.saveCursor();
        break;
      case 'u':
        this.#screen.restoreCursor();
        break;
    }
  }

  #readString(text: string, start: number): number {
    const room = STRING_LIMIT - this.#collectedUnits;
    const end = findStringEnd(text, start, this.#stringKind);
    if (end - start > room) {
      this.#keep(text.slice(start, start + room));
      this.#showCollected();
      return start + room;
    }
    this.#keep(text.slice(start, end));
    if (end >= text.length) return end;
    const char = text.charAt(end);
    if (char === '\n') {
      this.#showCollected();
      return end;
    }
    if (char === '\x07' && this.#stringKind !== ']') return end + 1;
    this.#state = char === '\x1b' ? 'string-escape' : 'ground';
    if (char !== '\x1b') this.#collected = [];
    return end + 1;
  }

  #keep(part: string): void {
    this.#collectedUnits += part.length;
    if (this.#state === 'csi' && this.#collectedUnits > CSI_LIMIT) this.#showCollected();
    else this.#collected.push(part);
  }

  #takeCollected(): string {
    const collected = this.#collected;
    this.#collected = [];
    return collected.length === 1 ? (collected[0] ?? '') : collected.join('');
  }

  /** Shows the content of an invalid control string as text. */
  #showCollected(): void {
    const text = this.#takeCollected();
    this.#state = 'ground';
    this.feed(text);
  }
}
