/** A place in a text, both from 1. */
export interface TextPlace {
  line: number;
  column: number;
}
