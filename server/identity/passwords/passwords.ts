import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/** What OWASP's Password Storage Cheat Sheet asks of Argon2id at least. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/** How many are hashed at the same time: enough for 50 a second, and the rest of the bank goes on (docs/measurements.md). */
const PARALLEL = 2
/** How many may wait for their turn, for about a second; more are refused and told to retry. */
const MAX_WAITING = 64

/** For the whole process, as the threads that hash are; what one address may have in it, its routes see to. */
const hashing = pLimit(PARALLEL)

async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing.pendingCount >= MAX_WAITING) throw new Refusal('unavailable')
  return hashing(work)
}

type Cost = { memory: number; passes: number; parallelism: number }

function derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  // The same password however a keyboard composes its letters (NIST SP 800-63B-4, section 3.1.1.2).
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

/** A hash that matches no password, so that an unknown email takes as long to compare as a known one. */
const NOBODYS = phcOf(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))

/**
 * The password as the database may know it: Argon2id (RFC 9106) under a salt of its own, with its parameters, as a PHC
 * string. Throws Refusal `unavailable` where too many are being hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await limited(() => derive(password, salt, COST, TAG_BYTES))
  return phcOf(COST, salt, tag)
}

/**
 * Whether this is the password of `hash`. Where there is none, the answer is no and takes as long.
 * Throws Refusal `unavailable` where too many are being hashed.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { cost, salt, tag } = readPhc(hash ?? NOBODYS)
  const derived = await limited(() => derive(password, salt, cost, tag.length))
  return timingSafeEqual(derived, tag) && hash !== null
}

/** Whether a hash was made with other parameters than new ones are. */
export function isOutdated(hash: string): boolean {
  const { cost } = readPhc(hash)
  return cost.memory !== COST.memory || cost.passes !== COST.passes || cost.parallelism !== COST.parallelism
}
