import { createHash } from 'node:crypto'
import type { DerivedFrom, Operation } from '#server/ledger/types.ts'

/**
 * The id of an operation that follows from another one, so that a job that runs twice asks for the same thing twice
 * and the ledger applies it once. It goes into the operation with what it was derived from, which the ledger checks.
 * `slice` is the folder that derives it: the cause may be a key that the client chose, and two slices that use one cause
 * for the same purpose must not meet.
 */
export function derived(
  slice: string,
  causeId: string,
  purpose: string,
): Required<Pick<Operation, 'id' | 'derivedFrom'>> {
  const derivedFrom = { slice, causeId, purpose }
  return { id: derivedId(derivedFrom), derivedFrom }
}

export function derivedId({ slice, causeId, purpose }: DerivedFrom): string {
  return uuidOf(`${slice}\n${causeId.toLowerCase()}\n${purpose}`)
}

/**
 * The id that the same operation had while ids did not name the slice. The ledger still knows it by that one, so that no
 * step is applied a second time (docs/decisions/0241).
 */
export function formerId({ causeId, purpose }: DerivedFrom): string {
  return uuidOf(`${causeId.toLowerCase()}\n${purpose}`)
}

/** The first 128 bits of SHA-256 over a text, written as a version 8 UUID (RFC 9562, section 5.8). */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
