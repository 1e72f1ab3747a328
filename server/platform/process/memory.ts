/**
 * Frees the memory of bytes that are no longer needed at once. V8 does so by itself, but only after a hundred megabytes of
 * them have gathered.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes
  // Small ones share a pool.
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
