/** Frees the memory of bytes at once. V8 frees it by itself, but only after a hundred megabytes have accumulated. */
export function freeMemory(bytes: Uint8Array): void {
  const { buffer } = bytes
  // Small arrays share a pool, which must not be freed.
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
