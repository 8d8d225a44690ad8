/**
 * Which events count; also which transitions analytics read. Parts that are given must all hold; of a list, any one. An
 * empty list is as good as none. Names are as users wrote them.
 */
export interface EventFilter {
  readonly jobs?: readonly string[];
  readonly users?: readonly string[];
  /** Tags of the job, as `--tag` or a command set them. All must match. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly topics?: readonly string[];
  readonly fromStates?: readonly string[];
  readonly toStates?: readonly string[];
  /** Ids that a scheduler gave: the field `scheduler_id` of the job's description. */
  readonly schedulerIds?: readonly string[];
  /** Inclusive. */
  readonly afterNs?: bigint;
  /** Inclusive. */
  readonly beforeNs?: bigint;
  /** A part of the event's data, in any case of its letters. */
  readonly text?: string;
}
