/**
 * Gives the memory of bytes that nobody will look at again back at once. V8 does it too, but in its own time: it lets
 * a hundred megabytes of them gather first.
 */
export function release(bytes: Uint8Array): void {
  const { buffer } = bytes
  // Small ones share a pool.
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === bytes.byteLength) buffer.transfer(0)
}
