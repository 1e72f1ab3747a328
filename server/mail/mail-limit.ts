import type { Deps } from '#server/platform/deps.ts'
import { counterKey, countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import { inboxOf } from '#server/mail/inbox.ts'

/** The mails that other people can cause for an inbox, each with its daily limit per inbox (docs/decisions/0060). */
const DAILY = {
  sign_up: 10,
  password: 10,
  /** The limit for requests in the customer's session or on their known browser. Other people cannot use up this limit. */
  own_password: 10,
  email_change: 10,
  password_lock: 5,
  /** The limit for locks in the customer's session or on their known browser. */
  own_lock: 5,
  codes_lock: 5,
  new_device: 5,
  payment_to_claim: 3,
  money_request: 3,
} as const
export type MailAbout = keyof typeof DAILY

/** The hourly limit of mails of one kind that one requester can cause for one inbox. */
const PER_ASKER = { name: 'mail', points: 3, seconds: 60 * 60 }

const perInbox = (about: MailAbout) => ({ name: `mail-${about}`, points: DAILY[about], seconds: 24 * 60 * 60 })

/** `asker` is the requester who caused the mail: a customer's id, or a network under its key for limits. */
type MailRequest = { about: MailAbout; to: string; asker: string }

/** Counts a mail to an address. Returns the exceeded limit, or null. A mail above a limit may not be sent. */
export async function mailLimitReached(
  deps: Pick<Deps, 'limiters' | 'config'>,
  { about, to, asker: requester }: MailRequest,
): Promise<'asker' | 'inbox' | null> {
  const inbox = inboxOf(to)
  const byAsker = await countWithin(limiterFor(deps, PER_ASKER), counterKey(deps, `${about} ${requester} ${inbox}`))
  if (byAsker === null) return 'asker'
  const toInbox = await countWithin(limiterFor(deps, perInbox(about)), counterKey(deps, inbox))
  return toInbox === null ? 'inbox' : null
}

/** Counts a mail to an address and returns whether it may be sent. */
export async function canMail(deps: Pick<Deps, 'limiters' | 'config'>, request: MailRequest): Promise<boolean> {
  return (await mailLimitReached(deps, request)) === null
}
