import { VALUES_AT } from './metadata-layout';

// A value of the present line: its start and end, the shortest end of a number's text, its kind, its number, and the
// step of the tree that stands before it.
export const VALUE_START: usize = 0;
export const VALUE_END: usize = 4;
export const VALUE_TEXT_END: usize = 8;
export const VALUE_KIND: usize = 12;
export const VALUE_NUMBER: usize = 16;
export const VALUE_STEP: usize = 24;
export const VALUE_SIZE: usize = 32;

export const KIND_NUMBER: i32 = 0;
export const KIND_STRING: i32 = 1;
/** A string with a backslash before some quotes and backslashes. */
export const KIND_ESCAPED: i32 = 2;
/** true, false or null. */
export const KIND_WORD: i32 = 3;
/** An integer that no double is sure to hold: the nearest one as a number, and its digits as a text. */
export const KIND_INEXACT: i32 = 4;

/** Behind the last value of the present line. */
export let valuesEnd: usize = VALUES_AT;

export function setValuesEnd(end: usize): void {
  valuesEnd = end;
}
