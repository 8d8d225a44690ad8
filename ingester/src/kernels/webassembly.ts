/** The part of the standard interface that is used here: Node's types leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

/**
 * Creates an instance of a module in base64, which may call what it imports. Throws if WebAssembly is switched off, or
 * there is no memory for it.
 */
export function instantiateModule(base64: string, imports = {}): object {
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, 'base64')), imports).exports;
}
