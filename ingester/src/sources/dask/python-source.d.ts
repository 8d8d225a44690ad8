/** A program in Python, which esbuild puts into the bundle as a text. */
declare module '*.py' {
  const source: string;
  export default source;
}
