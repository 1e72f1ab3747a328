import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { Mail } from '#contract/mail.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Config } from '#server/bank/config.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineJob, defineRecurringJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { KEPT_FOR, purgeInSteps } from '#server/platform/retention.ts'
import { firstUuidFrom } from '#server/platform/uuid.ts'
import { isEmailAddress } from '#server/mail/address.ts'
import { type StoredMail, type MailContent, plainMailText, type MailWords, renderMail } from '#server/mail/catalog.ts'
import { mailHtml } from '#server/mail/html.ts'
import { pageUrl } from '#server/mail/link.ts'
import type { PageLink } from '#server/mail/texts/text.ts'
import { inCall } from '#server/platform/telemetry/trace.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

export type NewMail = MailContent & {
  to: string
  /** The customer who finds the mail in their mailbox and export. Without an id, no customer does. */
  customerId?: string
  /** The language of a mail without a customer. Other mails use the customer's language at the time of reading. */
  language?: string | null
  /** The sealed token of a link that authorizes an action (`sealedToken`). */
  token?: Buffer
}

/**
 * Returns the owner and the language of a mail to an address that the requester has not confirmed. In a bank with a mailbox
 * page, the requester owns the mail, because they wait for it there. In other banks the mail has no owner. This mail is not
 * written if the address belongs to another customer. Its absence from the requester's mails would reveal that. The mail is
 * always in the requester's language.
 */
export function ownerForRequester(
  { policy }: Pick<Deps, 'policy'>,
  { id, language }: { id: string; language: string | null },
): Pick<NewMail, 'customerId' | 'language'> {
  return policy.mailboxPage ? { customerId: id } : { language }
}

export const TOKEN = { kind: 'link in a mail', owner: 'its reader' }

/** Seals the token of a link until the mail is read or sent, because anyone who has the link can use it. */
export function sealedToken(config: Pick<Config, 'secret'>, token: string): Buffer {
  return seal(config, TOKEN, Buffer.from(token))
}

const delivery = z.object({ mailId: z.uuid() })

/** Stores a mail and queues its delivery when the SQL transaction of `db` commits. */
export async function sendMail(deps: Pick<Deps, 'clock'>, db: Kysely<Database>, mail: NewMail): Promise<void> {
  const mailId = randomUUIDv7()
  const { customerId = null, language = null, to, kind, params, token = null } = mail
  await db
    .insertInto('bank.mail')
    .values({
      id: mailId,
      customer_id: customerId,
      language,
      recipient: to,
      kind,
      params: JSON.stringify(params),
      token,
      created_at: deps.clock.businessNow(),
    })
    .execute()
  await enqueue(db, deliverJob, { mailId })
}

type MailRow = StoredMail & { id: string; recipient: string; token: Buffer | null; created_at: Date; language: string }

/** The text in place of a token that cannot be opened or is not for this reader. */
const NO_TOKEN = 'removed'

function openedToken(config: Pick<Config, 'secret'>, sealed: Buffer): string {
  try {
    return unseal(config, TOKEN, sealed).toString()
  } catch {
    // The bank no longer has the secret that sealed the token, so the link is void.
    return NO_TOKEN
  }
}

/** The data for rendering a mail. */
type MailTextDeps = { config: Pick<Config, 'origin' | 'port' | 'secret'>; translations: Deps['translations'] }

/** Renders a mail. Without `open`, its link has no token, so the mail can be shown to any reader. */
function wordsIn(
  { config, translations }: MailTextDeps,
  row: MailRow,
  open: (sealed: Buffer) => string = () => NO_TOKEN,
): MailWords {
  const translator = translations.in(row.language)
  const { token } = row
  const link: PageLink = (path, parameter = 'token') =>
    pageUrl(config, token ? `${path}?${parameter}=${open(token)}` : path)
  return renderMail(row, { translator, link, open })
}

function mailOf(row: MailRow, { language, subject, body }: MailWords): Mail {
  const { id, kind, recipient: to, created_at } = row
  return { id, kind, to, subject, text: plainMailText(body), language, createdAt: created_at.toISOString() }
}

const wordsForReader = (wording: MailTextDeps, row: MailRow): MailWords =>
  wordsIn(wording, row, (sealed) => openedToken(wording.config, sealed))

/** Returns a mail with its links, for its reader. */
export function mailForReader(wording: MailTextDeps, row: MailRow): Mail {
  return mailOf(row, wordsForReader(wording, row))
}

/** Returns a mail as HTML with its links, for its reader. */
function htmlForReader(wording: MailTextDeps, row: MailRow): string {
  const words = wordsForReader(wording, row)
  return mailHtml(wording.translations.in(words.language), words)
}

/** Selects mails with the columns that `mailForReader` needs. */
export function selectMails({ db }: Pick<Deps, 'db'>) {
  return db
    .selectFrom('bank.mail as m')
    .leftJoin('bank.customer as c', 'c.id', 'm.customer_id')
    .select(['m.id', 'm.place', 'm.kind', 'm.params', 'm.token', 'm.recipient', 'm.created_at'])
    .select(({ fn, val }) => fn.coalesce('c.language', 'm.language', val<string>(SOURCE_LANGUAGE)).as('language'))
}

/** Returns the newest 50 mails of these customers, newest first. */
export async function mailboxOf(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  customerIds: readonly string[],
): Promise<Mail[]> {
  const rows = await selectMails(deps)
    .where('m.customer_id', 'in', customerIds)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.place', 'desc')
    .limit(50)
    .execute()
  return rows.map((row) => mailForReader(deps, row))
}

/** Returns a mail of these customers as HTML, or null if they have no such mail. */
export async function mailboxHtml(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  customerIds: readonly string[],
  mailId: string,
): Promise<string | null> {
  const row = await selectMails(deps)
    .where('m.customer_id', 'in', customerIds)
    .where('m.id', '=', mailId)
    .executeTakeFirst()
  return row ? htmlForReader(deps, row) : null
}

/**
 * Returns a customer's mails without the tokens of their links, newest first. `before` is the position of the last mail on the
 * previous page.
 */
async function mailsOf(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  customerId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<{ mail: Mail; place: number }[]> {
  const rows = await selectMails(deps)
    .where('m.customer_id', '=', customerId)
    .where('m.place', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('m.place', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ mail: mailOf(row, wordsIn(deps, row)), place: row.place }))
}

/** Returns an SMTP server's error without the email address in its message. */
function failureOf(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return new Error(`The mail was not accepted: ${code ?? 'unknown'} ${responseCode ?? ''}`.trim())
}

/**
 * Delivers a mail to the SMTP server. Without an SMTP server the mail stays in the mailbox. A server that crashes after sending
 * the mail and before recording this sends it again with the same Message-ID, by which mail programs recognize the repetition.
 */
async function deliver(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'translations'>,
  { mailId }: z.infer<typeof delivery>,
): Promise<void> {
  const { smtpUrl } = deps.config
  if (!smtpUrl) return
  const row = await selectMails(deps).where('m.id', '=', mailId).where('m.sent_at', 'is', null).executeTakeFirst()
  if (!row) return
  if (!isEmailAddress(row.recipient)) {
    // Earlier versions accepted such addresses. Some mail servers would read one as several addresses or as another address.
    deps.log.warn({ mailId }, 'a mail is not sent: its address is not a single inbox')
    return
  }
  await sendBySmtp(smtpUrl, deps.config, { ...mailForReader(deps, row), html: htmlForReader(deps, row) })
  await deps.db.updateTable('bank.mail').set({ sent_at: deps.clock.realNow() }).where('id', '=', mailId).execute()
}

/** A mail with its text and HTML parts. A mail to an operator has only text. */
type Letter = Omit<Mail, 'kind' | 'createdAt'> & { html?: string }

/** Sends a mail to the SMTP server. The same `id` gives the same Message-ID. */
export async function sendBySmtp(smtpUrl: string, { origin }: Pick<Config, 'origin'>, mail: Letter): Promise<void> {
  const host = origin ? new URL(origin).hostname : 'localhost'
  const from = `no-reply@${host}`
  const transport = createTransport(smtpUrl)
  try {
    await inCall('mail', () =>
      transport.sendMail({
        from: { name: 'Alder', address: from },
        to: { name: '', address: mail.to },
        // The envelope is separate from the headers, so the address is never parsed and reaches one inbox.
        envelope: { from, to: [mail.to] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        messageId: `<${mail.id}@${host}>`,
        // RFC 3834: the header prevents out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    )
  } catch (error) {
    throw failureOf(error)
  } finally {
    transport.close()
  }
}

export const deliverJob = defineJob({
  name: 'mail.deliver',
  payload: delivery,
  apart: true,
  leaves: 'mail',
  work: deliver,
})

/** Deletes mails that are older than the retention period. Returns their number. */
export function purgeMails({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const firstKeptId = firstUuidFrom(new Date(clock.realNow().getTime() - KEPT_FOR['bank.mail'].ms))
  return purgeInSteps(async (maxRows) => {
    const old = db
      .selectFrom('bank.mail')
      .select('id')
      .where('id', '<', firstKeptId)
      .orderBy('id')
      .limit(sql.lit(maxRows))
    const [deletion] = await db.deleteFrom('bank.mail').where('id', 'in', old).execute()
    return Number(deletion?.numDeletedRows ?? 0)
  })
}

export const purgeMailsJob = defineRecurringJob({
  name: 'mail.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeMails(deps)),
})

/** Returns a customer's mails for the data export, without the tokens of their links. */
export async function* exportMails(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  customerId: string,
): AsyncGenerator<Mail> {
  const entries = everyPage(
    (before: number | null) => mailsOf(deps, customerId, { before, limit: PAGE_SIZE }),
    ({ place }) => place,
  )
  for await (const { mail } of entries) yield mail
}
