import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/** The minimum for Argon2id in OWASP's Password Storage Cheat Sheet. `memory` is in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/**
 * The number of passwords that are hashed at the same time. Two allow 50 a second and leave capacity for the rest of the bank
 * (docs/measurements.md).
 */
const PARALLEL = 2
/**
 * The largest number of passwords that wait for hashing. The last of them waits for about a second. A further password is
 * refused with a request to retry.
 */
const MAX_WAITING = 64

/** The queue is global, like the process's hashing threads. The routes limit each address's share of it. */
const hashing = pLimit(PARALLEL)

async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing.pendingCount >= MAX_WAITING) throw new Refusal('unavailable')
  return hashing(work)
}

type Cost = { memory: number; passes: number; parallelism: number }

function derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // NFKC makes the password independent of how a keyboard composes its letters (NIST SP 800-63B-4, section 3.1.1.2).
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, tagLength, ...cost }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    )
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function phcOf({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readPhc(hash: string) {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash) ?? []
  if (!salt || !tag) throw new Error('A password in the database is not a hash of ours')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

/** A hash that matches no password. With it, an unknown email takes as long to compare as a known one. */
const NOBODYS = phcOf(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))

/**
 * Hashes a password for the database: Argon2id (RFC 9106) with a random salt, as a PHC string with its parameters. Throws
 * Refusal `unavailable` while too many passwords are being hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await limited(() => derive(password, salt, COST, TAG_BYTES))
  return phcOf(COST, salt, tag)
}

/**
 * Returns whether the password matches `hash`. Without a hash it returns false and takes as long. Throws Refusal `unavailable`
 * while too many passwords are being hashed.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { cost, salt, tag } = readPhc(hash ?? NOBODYS)
  const derived = await limited(() => derive(password, salt, cost, tag.length))
  return timingSafeEqual(derived, tag) && hash !== null
}

/** Returns whether a hash has other parameters than a new hash. */
export function isOutdated(hash: string): boolean {
  const { cost } = readPhc(hash)
  return cost.memory !== COST.memory || cost.passes !== COST.passes || cost.parallelism !== COST.parallelism
}
