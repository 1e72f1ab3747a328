import type { Deps } from '#server/platform/deps.ts'
import { countedAs, countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import { inboxOf } from '#server/mail/inbox.ts'

/**
 * Mails that somebody else than the inbox's owner can cause, and how many of each an inbox is sent in a day, whoever
 * asks (docs/decisions/0060).
 */
const DAILY = {
  sign_up: 10,
  password: 10,
  /** Asked for in a session or on a known browser of the customer's, so others cannot use it up. */
  own_password: 10,
  email_change: 10,
  password_lock: 5,
  /** In a session or on a browser of the customer's, as above. */
  own_lock: 5,
  codes_lock: 5,
  new_device: 5,
  payment_to_claim: 3,
  money_request: 3,
} as const
export type MailAbout = keyof typeof DAILY

/** And how many of them one asker can cause in an hour. */
const PER_ASKER = { name: 'mail', points: 3, seconds: 60 * 60 }

const perInbox = (about: MailAbout) => ({ name: `mail-${about}`, points: DAILY[about], seconds: 24 * 60 * 60 })

/** `asker` caused the mail, as far as the bank can tell: a customer's id, or a network as limits count it. */
type Asked = { about: MailAbout; to: string; asker: string }

/** Counts a mail to an address, and answers whose limit it is past: no more may go then. Null where it may. */
export async function mailLimitReached(
  deps: Pick<Deps, 'limiters' | 'config'>,
  { about, to, asker }: Asked,
): Promise<'asker' | 'inbox' | null> {
  const inbox = inboxOf(to)
  const byAsker = await countWithin(limiterFor(deps, PER_ASKER), countedAs(deps, `${about} ${asker} ${inbox}`))
  if (byAsker === null) return 'asker'
  const toInbox = await countWithin(limiterFor(deps, perInbox(about)), countedAs(deps, inbox))
  return toInbox === null ? 'inbox' : null
}

/** Counts a mail to an address, and answers whether it may go. */
export async function mayMail(deps: Pick<Deps, 'limiters' | 'config'>, asked: Asked): Promise<boolean> {
  return (await mailLimitReached(deps, asked)) === null
}
