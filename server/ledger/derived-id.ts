import { createHash } from 'node:crypto'
import type { DerivedFrom, Operation } from '#server/ledger/types.ts'

/**
 * Derives the id of an operation from its cause. A job that runs twice thus requests the same operation twice, and the ledger
 * applies the operation once. The operation contains the values that its id was derived from, and the ledger checks them.
 * `slice` is the folder that derives the id. The client may have chosen the cause (a request key). Two slices that use the same
 * cause for the same purpose must still get different ids.
 */
export function derivedIdentity(
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
 * Returns the id that the same operation had before ids contained the slice. The ledger still accepts this former id, so that
 * no operation is applied twice (docs/decisions/0241).
 */
export function formerId({ causeId, purpose }: DerivedFrom): string {
  return uuidOf(`${causeId.toLowerCase()}\n${purpose}`)
}

/** Returns the first 128 bits of a text's SHA-256 digest as a version 8 UUID (RFC 9562, section 5.8). */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
