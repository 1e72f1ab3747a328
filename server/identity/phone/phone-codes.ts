import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import parsePhoneNumber from 'libphonenumber-js/max'
import { Refusal } from '#contract/errors.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { canSendTexts, sendText } from '#server/messages/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { count, countedAs, countOrigins, limiterFor } from '#server/platform/http/rate-limit.ts'

/** Six digits, for ten minutes of real time, of which five may be wrong. */
const DIGITS = 6
const LIFETIME_MS = 10 * 60_000
const TRIES = 5

const DAY = 24 * 60 * 60

/**
 * Texts in a day. Unverified customers share the limits of a number, of a network and of the bank; verified ones have
 * limits of their own, so that others cannot use them up.
 */
const LIMITS = {
  customer: { name: 'text-customer', points: 5, seconds: DAY },
  source: { name: 'text-source', points: 10, seconds: DAY },
  number: { name: 'text-number', points: 5, seconds: DAY },
} as const

/** Numbers that charge the caller or belong to no one person. */
const NOT_TEXTED = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL'])

function digestOf({ config }: { config: Secret }, customerId: string, phone: string, code: string): string {
  return createHmac('sha256', config.secret).update(`phone code\n${customerId}\n${phone}\n${code}`).digest('base64url')
}

type Asked = { customer: Pick<Customer, 'id' | 'verified'>; phone: string; client: Pick<Client, 'source' | 'site'> }

/** The customer's own limit is checked first, so that going over it does not count against the shared ones. */
async function countText(deps: Pick<Deps, 'limiters' | 'config' | 'policy'>, asked: Asked): Promise<void> {
  const { customer, phone, client } = asked
  await count(limiterFor(deps, LIMITS.customer), customer.id)
  const group = customer.verified ? 'verified' : 'unverified'
  if (!customer.verified) await countOrigins(deps, client, LIMITS.source)
  await count(limiterFor(deps, LIMITS.number), `${group} ${countedAs(deps, phone)}`)
  const perBank = { name: `text-bank-${group}`, points: deps.policy.textsPerDay[group], seconds: DAY }
  await count(limiterFor(deps, perBank), 'all')
}

/**
 * Texts a code to a customer's number, in the place of one that was sent before. Nothing tells whether the number is
 * another customer's. Where it is confirmed already there is nothing to do.
 * Throws Refusal `fields_missing` naming the phone, `phone_invalid`, `texts_unavailable` and `too_many_requests`.
 */
export async function sendPhoneCode(
  deps: Pick<Deps, 'limiters' | 'db' | 'clock' | 'config' | 'policy'>,
  { id, verified }: Pick<Customer, 'id' | 'verified'>,
  client: Pick<Client, 'source' | 'site'>,
): Promise<void> {
  const { phone, phone_confirmed_at: confirmedAt } = await deps.db
    .selectFrom('bank.customer')
    .select(['phone', 'phone_confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (phone === null) throw new Refusal('fields_missing', 'phone')
  if (confirmedAt !== null) return
  if (!canSendTexts(deps)) throw new Refusal('texts_unavailable')
  if (NOT_TEXTED.has(parsePhoneNumber(phone)?.getType() ?? '')) throw new Refusal('phone_invalid', 'phone')
  await countText(deps, { customer: { id, verified }, phone, client })
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = new Date(deps.clock.realNow().getTime() + LIFETIME_MS)
  const fresh = { phone, digest: digestOf(deps, id, phone, code), tries: 0, expires_at: expiresAt }
  await inTransaction(deps.db, async (trx) => {
    await trx
      .insertInto('bank.phone_code')
      .values({ customer_id: id, ...fresh })
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(fresh))
      .execute()
    // A sample bank's texts are read in its mailbox page: whose phone it is reads them, not who typed the number.
    const holder = deps.policy.mailboxPage
      ? await trx
          .selectFrom('bank.customer')
          .select('id')
          .where('phone', '=', phone)
          .where('phone_confirmed_at', 'is not', null)
          .executeTakeFirst()
      : undefined
    await sendText(deps, trx, {
      to: phone,
      kind: 'phone_code',
      params: { code },
      customerId: holder?.id ?? id,
      expiresAt,
    })
  })
}

/** A code that was right: it works once, where the customer still has this number. */
export type RightCode = { phone: string; digest: string }

/**
 * Compares a code with the one that was sent last. A try counts before it is compared, so that of a hundred at once five
 * are. Throws Refusal `phone_code_wrong` naming the code, and `phone_code_ended` where there is none, or none any more.
 */
export async function checkPhoneCode(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  customerId: string,
  code: string,
): Promise<RightCode> {
  const sent = await deps.db
    .updateTable('bank.phone_code')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('customer_id', '=', customerId)
    .where('tries', '<', TRIES)
    .where('expires_at', '>', deps.clock.realNow())
    .returning(['phone', 'digest'])
    .executeTakeFirst()
  if (!sent) throw new Refusal('phone_code_ended')
  const digits = code.replaceAll(/\D/g, '')
  const isRight = secretsOf(deps.config).some((config) =>
    timingSafeEqual(Buffer.from(digestOf({ config }, customerId, sent.phone, digits)), Buffer.from(sent.digest)),
  )
  if (!isRight) throw new Refusal('phone_code_wrong', 'code')
  return sent
}
