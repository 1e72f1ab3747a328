import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { TextMessage } from '#contract/mail.ts'
import { postText } from '#server/messages/gateway.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { KEPT_FOR, purgeInSteps } from '#server/platform/retention.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'
import type { Translator } from '#server/platform/translations.ts'

/** All texts that the bank sends. The database stores a text as its kind and its sealed parameters. */
const TEXTS = {
  phone_code: {
    params: z.object({ code: z.string() }),
    words: ({ i18n }: Translator, { code }: { code: string }) =>
      i18n._({
        id: 'text.phone_code',
        message: "Your Alder code is {code}. It's valid for 10 minutes. We'll never ask you for it by phone or email.",
        values: { code },
      }),
  },
} as const

export type NewText = {
  /** In E.164 form. */
  to: string
  kind: keyof typeof TEXTS
  params: z.infer<(typeof TEXTS)['phone_code']['params']>
  /** The customer who requested the text or who finds it in the sample mailbox. */
  customerId: string
  /** The expiry, in real time. */
  expiresAt: Date
}

/** Returns whether texts can be read: a gateway sends them, or a mailbox page shows them. */
export function canSendTexts({ config, policy }: Pick<Deps, 'config' | 'policy'>): boolean {
  return policy.mailboxPage || config.smsUrl !== null
}

const delivery = z.object({ textId: z.uuid() })

export const textSealName = (id: string) => ({ kind: 'text message', owner: id })

/** Stores a text and queues its delivery when the transaction commits. */
export async function sendText(
  deps: Pick<Deps, 'clock' | 'config'>,
  trx: Transaction<Database>,
  { to, kind, params, customerId, expiresAt }: NewText,
): Promise<void> {
  const id = randomUUIDv7()
  await trx
    .insertInto('bank.text_message')
    .values({
      id,
      customer_id: customerId,
      recipient: to,
      kind,
      params: seal(deps.config, textSealName(id), Buffer.from(JSON.stringify(params))),
      created_at: deps.clock.businessNow(),
      expires_at: expiresAt,
    })
    .execute()
  await enqueue(trx, deliverTextJob, { textId: id })
}

type SealedText = { id: string; kind: string; params: Buffer; language: string | null }
type MessageTextDeps = Pick<Deps, 'config' | 'translations'>

function wordsOf({ config, translations }: MessageTextDeps, { id, kind, params, language }: SealedText): string {
  const { params: shape, words } = TEXTS[kind as keyof typeof TEXTS]
  return words(translations.in(language), shape.parse(JSON.parse(unseal(config, textSealName(id), params).toString())))
}

/** Selects texts with the language of each customer. */
function selectTexts({ db }: Pick<Deps, 'db'>) {
  return db
    .selectFrom('bank.text_message as t')
    .innerJoin('bank.customer as c', 'c.id', 't.customer_id')
    .select(['t.id', 't.recipient', 't.kind', 't.params', 't.created_at', 't.expires_at', 'c.language'])
}

/** Returns the newest 50 texts of these customers, newest first. */
export async function textsOf(
  deps: MessageTextDeps & Pick<Deps, 'db'>,
  customerIds: readonly string[],
): Promise<TextMessage[]> {
  const rows = await selectTexts(deps)
    .where('t.customer_id', 'in', customerIds)
    .where('t.params', 'is not', null)
    .orderBy('t.place', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ id, recipient, kind, params, language, created_at }) => ({
    id,
    to: recipient,
    text: wordsOf(deps, { id, kind, params: params as Buffer, language }),
    language: deps.translations.in(language).language,
    createdAt: created_at.toISOString(),
  }))
}

/** The longest time that a gateway without a response occupies a worker, in milliseconds. */
const TIMEOUT_MS = 5_000

/**
 * Delivers a text to the gateway. Without a gateway it stays in the mailbox. Delivery is retried until the gateway accepts the
 * text or the text expires. Then the content of the text is deleted, except in a bank with a mailbox page.
 */
export async function deliverText(
  deps: MessageTextDeps & Pick<Deps, 'db' | 'clock' | 'policy'>,
  { textId: id }: z.infer<typeof delivery>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const { smsUrl: url, smsToken: token } = deps.config
  if (!url) return
  const now = deps.clock.realNow()
  const row = await selectTexts(deps).where('t.id', '=', id).where('t.sent_at', 'is', null).executeTakeFirst()
  if (!row?.params) return
  const { recipient: to, kind, params, language } = row
  const late = row.expires_at <= now
  if (!late) await postText({ url, token, timeoutMs }, { id, to, text: wordsOf(deps, { id, kind, params, language }) })
  await deps.db
    .updateTable('bank.text_message')
    .set({ ...(late ? {} : { sent_at: deps.clock.realNow() }), ...(deps.policy.mailboxPage ? {} : { params: null }) })
    .where('id', '=', id)
    .execute()
}

/** Deletes texts whose retention period after the expiry has ended. Returns their number. */
export function purgeTexts({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.realNow().getTime() - KEPT_FOR['bank.text_message'].ms)
  return purgeInSteps(async (maxRows) => {
    const old = db
      .selectFrom('bank.text_message')
      .select('id')
      .where('expires_at', '<=', before)
      .limit(sql.lit(maxRows))
    const [result] = await db.deleteFrom('bank.text_message').where('id', 'in', old).execute()
    return Number(result?.numDeletedRows ?? 0)
  })
}

/** The attempts last about ten minutes. After that time a text has expired. */
const MAX_ATTEMPTS = 7

export const deliverTextJob = defineJob({
  name: 'messages.deliver',
  leaves: 'texts',
  payload: delivery,
  maxAttempts: MAX_ATTEMPTS,
  work: (deps, payload) => deliverText(deps, payload),
})

export const purgeTextsJob = defineRecurringJob({
  name: 'messages.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeTexts(deps)),
})

/** Returns, for the data export, the texts that a customer requested, without their contents. */
export async function exportTexts({ db }: Pick<Deps, 'db'>, customerId: string) {
  const rows = await db
    .selectFrom('bank.text_message')
    .select(['recipient', 'kind', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('place', 'desc')
    .execute()
  return rows.map(({ recipient, kind, created_at }) => ({ to: recipient, kind, createdAt: created_at.toISOString() }))
}
