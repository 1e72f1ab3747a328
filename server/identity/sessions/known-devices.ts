import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'

/**
 * A device that has signed a customer in keeps a cookie that says so, signed by the bank. Tries from it are counted
 * apart, so that a stranger who locks the sign-in page does not lock out the customer's own devices. It signs nobody in.
 * After OWASP's "device cookies"; the bank keeps no row for it.
 */

/** As many customers as may share a device. */
const MOST = 5

const ENTRY = /^[\w-]{22}[\w-]{43}$/
const ID_LENGTH = 22

type Keyed = Pick<Config, 'secret'>

function signatureOf({ secret }: Keyed, id: string, customerId: string): string {
  return createHmac('sha256', secret).update(`known device\n${id}\n${customerId}`).digest('base64url')
}

function isFor(config: Keyed, entry: string, customerId: string): boolean {
  const signature = Buffer.from(entry.slice(ID_LENGTH))
  return timingSafeEqual(signature, Buffer.from(signatureOf(config, entry.slice(0, ID_LENGTH), customerId)))
}

function entriesOf(cookie: string | undefined): string[] {
  return (cookie ?? '').split('.', MOST).filter((entry) => ENTRY.test(entry))
}

/** What a device is called to a customer who has signed in on it before; null where they have not. */
export function knownDeviceId(config: Keyed, cookie: string | undefined, customerId: string): string | null {
  const entry = entriesOf(cookie).find((one) => isFor(config, one, customerId))
  return entry ? entry.slice(0, ID_LENGTH) : null
}

/** The cookie of a device on which a customer has just signed in; the one that is there long is dropped first. */
export function withKnownDevice(config: Keyed, cookie: string | undefined, customerId: string): string {
  const entries = entriesOf(cookie)
  const known = entries.find((one) => isFor(config, one, customerId))
  const id = randomBytes(16).toString('base64url')
  const entry = known ?? `${id}${signatureOf(config, id, customerId)}`
  return [entry, ...entries.filter((one) => one !== entry)].slice(0, MOST).join('.')
}
