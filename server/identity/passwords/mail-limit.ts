import type { Deps } from '#server/platform/deps.ts'
import { countedAs, countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'

/** Mails about one thing that an address is sent in an hour, so that nobody is buried in what others ask for. */
const MAILS = { name: 'mail', points: 3, seconds: 60 * 60 }

/** Counts a mail to an address, and answers whether it may go. */
export async function mayMail(
  deps: Pick<Deps, 'limiters' | 'config'>,
  about: string,
  address: string,
): Promise<boolean> {
  return (await countWithin(limiterFor(deps, MAILS), countedAs(deps, `${about} ${address}`))) !== null
}
