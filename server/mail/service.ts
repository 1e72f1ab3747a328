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
import { type KeptMail, type MailContent, mailText, type MailWords, wordsOf } from '#server/mail/catalogue.ts'
import { mailHtml } from '#server/mail/html.ts'
import { linkTo } from '#server/mail/link.ts'
import type { PageLink } from '#server/mail/texts/text.ts'
import { inCall } from '#server/platform/telemetry/trace.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

export type NewMail = MailContent & {
  to: string
  /** Whose mail it is: they find it in their mailbox and export. Without one, no customer does. */
  customerId?: string
  /** What a mail without a customer is written in; others are in their customer's language, whatever it is by then. */
  language?: string | null
  /** What its link is worth (`sealedToken`), where it has one that does more than lead to a page. */
  token?: Buffer
}

/**
 * Whose mail it is that goes to an address which nothing shows to be theirs: the asker's, where there is a mailbox page to
 * wait for it on. Elsewhere they find no trace of it, for where the address is another customer's it is not written; it
 * is in their language all the same.
 */
export function ownedByAsker(
  { policy }: Pick<Deps, 'policy'>,
  { id, language }: { id: string; language: string | null },
): Pick<NewMail, 'customerId' | 'language'> {
  return policy.mailboxPage ? { customerId: id } : { language }
}

export const TOKEN = { kind: 'link in a mail', owner: 'its reader' }

/** The token of a link, sealed until the mail is read or sent, because anybody who has the link can use it. */
export function sealedToken(config: Pick<Config, 'secret'>, token: string): Buffer {
  return seal(config, TOKEN, Buffer.from(token))
}

const delivery = z.object({ mailId: z.uuid() })

/** Writes a mail and has it delivered, once the SQL transaction of `db` commits. */
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

type MailRow = KeptMail & { id: string; recipient: string; token: Buffer | null; created_at: Date; language: string }

/** What stands where a token was: of one that cannot be opened, or that is not for this reader. */
const NO_TOKEN = 'removed'

function openedToken(config: Pick<Config, 'secret'>, sealed: Buffer): string {
  try {
    return unseal(config, TOKEN, sealed).toString()
  } catch {
    // The bank's secret has changed since, and all links are void.
    return NO_TOKEN
  }
}

/** What a mail is put into words with. */
type Wording = { config: Pick<Config, 'origin' | 'port' | 'secret'>; translations: Deps['translations'] }

/** A mail in words. Without `open` its link says no token: such a mail can be shown to anybody. */
function wordsIn(
  { config, translations }: Wording,
  row: MailRow,
  open: (sealed: Buffer) => string = () => NO_TOKEN,
): MailWords {
  const say = translations.in(row.language)
  const { token } = row
  const link: PageLink = (path, parameter = 'token') =>
    linkTo(config, token ? `${path}?${parameter}=${open(token)}` : path)
  return wordsOf(row, { say, link, open })
}

function mailOf(row: MailRow, { language, subject, body }: MailWords): Mail {
  const { id, kind, recipient: to, created_at } = row
  return { id, kind, to, subject, text: mailText(body), language, createdAt: created_at.toISOString() }
}

const wordsForReader = (wording: Wording, row: MailRow): MailWords =>
  wordsIn(wording, row, (sealed) => openedToken(wording.config, sealed))

/** A mail as its reader gets it. */
export function mailForReader(wording: Wording, row: MailRow): Mail {
  return mailOf(row, wordsForReader(wording, row))
}

/** The same as HTML. */
function htmlForReader(wording: Wording, row: MailRow): string {
  const words = wordsForReader(wording, row)
  return mailHtml(wording.translations.in(words.language), words)
}

/** Mails as `mailForReader` reads them. */
export function selectMails({ db }: Pick<Deps, 'db'>) {
  return db
    .selectFrom('bank.mail as m')
    .leftJoin('bank.customer as c', 'c.id', 'm.customer_id')
    .select(['m.id', 'm.place', 'm.kind', 'm.params', 'm.token', 'm.recipient', 'm.created_at'])
    .select(({ fn, val }) => fn.coalesce('c.language', 'm.language', val<string>(SOURCE_LANGUAGE)).as('language'))
}

/** The newest 50 mails of these customers, newest first. */
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

/** A mail of these customers as HTML. Null where they have no such mail. */
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
 * A customer's mails, the one written last first, without the tokens of their links; `before` is the place of the last
 * one that was read.
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

/** What an SMTP server said, without the address it said it about. */
function failureOf(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return new Error(`The mail was not taken: ${code ?? 'unknown'} ${responseCode ?? ''}`.trim())
}

/**
 * Hands a mail to the SMTP server; without one it stays in the mailbox. A server that dies between the two steps
 * sends it again, with the same Message-ID, by which mail programs tell a repetition.
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
    // Of a time when such were taken. Some server would read several addresses in it, or another.
    deps.log.warn({ mailId }, 'a mail is not sent: its address is not one inbox')
    return
  }
  await handOver(smtpUrl, deps.config, { ...mailForReader(deps, row), html: htmlForReader(deps, row) })
  await deps.db.updateTable('bank.mail').set({ sent_at: deps.clock.realNow() }).where('id', '=', mailId).execute()
}

/** A mail with both its parts; what an operator reads is text alone. */
type Letter = Omit<Mail, 'kind' | 'createdAt'> & { html?: string }

/** Gives a mail to the SMTP server. The same `id` again is the same mail. */
export async function handOver(smtpUrl: string, { origin }: Pick<Config, 'origin'>, mail: Letter): Promise<void> {
  const host = origin ? new URL(origin).hostname : 'localhost'
  const from = `no-reply@${host}`
  const transport = createTransport(smtpUrl)
  try {
    await inCall('mail', () =>
      transport.sendMail({
        from: { name: 'Alder', address: from },
        to: { name: '', address: mail.to },
        // Told apart from the headers, so that the address is never parsed and goes to one inbox.
        envelope: { from, to: [mail.to] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        messageId: `<${mail.id}@${host}>`,
        // RFC 3834: no out-of-office replies.
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

/** Removes mails that are older than the bank keeps them. Answers how many. */
export function purgeMails({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const from = firstUuidFrom(new Date(clock.realNow().getTime() - KEPT_FOR['bank.mail'].ms))
  return purgeInSteps(async (most) => {
    const old = db.selectFrom('bank.mail').select('id').where('id', '<', from).orderBy('id').limit(sql.lit(most))
    const [gone] = await db.deleteFrom('bank.mail').where('id', 'in', old).execute()
    return Number(gone?.numDeletedRows ?? 0)
  })
}

export const purgeMailsJob = defineRecurringJob({
  name: 'mail.purge',
  everyMinutes: 60,
  work: async (deps) => void (await purgeMails(deps)),
})

/** What the bank holds of a customer's mails, without the tokens of their links. */
export async function* exportedMails(
  deps: Pick<Deps, 'db' | 'config' | 'translations'>,
  customerId: string,
): AsyncGenerator<Mail> {
  const all = everyPage(
    (before: number | null) => mailsOf(deps, customerId, { before, limit: PAGE_SIZE }),
    ({ place }) => place,
  )
  for await (const { mail } of all) yield mail
}
