import { randomUUIDv7 } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import type { Mail } from '#contract/mail.ts'
import type { Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Run } from '#server/platform/db/run.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { withOpenLinks } from '#server/mail/link.ts'

export type NewMail = {
  to: string
  subject: string
  /** Plain text. A link that lets its reader do something stands in it sealed (`sealedLink`). */
  text: string
  /** Whom it is about, if a customer: they find it in the sample mailbox whoever it is addressed to. */
  customerId?: string
}

/**
 * Whom a mail is about that goes to an address which nothing shows to be theirs. They find it where there is a mailbox
 * page to wait for it on; elsewhere they find no trace of it (`mailsOf`), for where the address is another customer's it is
 * not written.
 */
export function aboutAsker({ policy }: Pick<Deps, 'policy'>, customerId: string): Pick<NewMail, 'customerId'> {
  return policy.mailboxPage ? { customerId } : {}
}

const delivery = z.object({ mailId: z.uuid() })

/** Writes a mail and has it delivered, once the SQL transaction that `run` belongs to commits. */
export async function sendMail(deps: Pick<Deps, 'clock'>, run: Run, mail: NewMail): Promise<void> {
  const mailId = randomUUIDv7()
  await run(
    `INSERT INTO bank.mail (id, customer_id, recipient, subject, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [mailId, mail.customerId ?? null, mail.to, mail.subject, mail.text, deps.clock.businessNow()],
  )
  await enqueue(run, deliverJob, { mailId })
}

type Reader = { id: string; email: string; emailConfirmed: boolean }

function selectMails({ db }: Pick<Deps, 'db'>) {
  return db.selectFrom('bank.mail').select(['id', 'place', 'recipient', 'subject', 'text', 'created_at'])
}

type MailRow = { id: string; recipient: string; subject: string; text: string; created_at: Date }

function mailOf({ id, recipient, subject, text, created_at }: MailRow): Mail {
  return { id, to: recipient, subject, text, createdAt: created_at.toISOString() }
}

/**
 * The newest 50 mails to any of these customers or about them, newest first. To an address that is not theirs beyond
 * doubt, others may have been written to.
 */
export async function mailboxOf(deps: Pick<Deps, 'db' | 'config'>, readers: readonly Reader[]): Promise<Mail[]> {
  const addresses = readers.filter(({ emailConfirmed }) => emailConfirmed).map(({ email }) => email)
  const rows = await selectMails(deps)
    .where((where) =>
      where.or([
        ...readers.map(({ id }) => where('customer_id', '=', id)),
        ...addresses.map((address) => where('recipient', '=', address)),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('place', 'desc')
    .limit(50)
    .execute()
  return rows.map((row) => ({ ...mailOf(row), text: withOpenLinks(deps.config, row.text) }))
}

/**
 * What the bank holds of mails about a customer, and of those to their address that are about nobody else: it may have
 * been another's before. Links are sealed; the one written last comes first; `before` is the place of the last one that
 * was read.
 */
async function mailsOf(
  deps: Pick<Deps, 'db'>,
  { id, email, emailConfirmed }: Reader,
  { before, limit }: { before: number | null; limit: number },
): Promise<{ mail: Mail; place: number }[]> {
  const rows = await selectMails(deps)
    .where((where) =>
      where.or([
        where('customer_id', '=', id),
        ...(emailConfirmed ? [where.and([where('recipient', '=', email), where('customer_id', 'is', null)])] : []),
      ]),
    )
    .where('place', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ mail: mailOf(row), place: row.place }))
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
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { mailId }: z.infer<typeof delivery>,
): Promise<void> {
  const { smtpUrl, origin } = deps.config
  if (!smtpUrl) return
  const mail = await deps.db
    .selectFrom('bank.mail')
    .selectAll()
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .executeTakeFirst()
  if (!mail) return
  const host = origin ? new URL(origin).hostname : 'localhost'
  const transport = createTransport(smtpUrl)
  try {
    await transport.sendMail({
      from: { name: 'Alder', address: `no-reply@${host}` },
      to: mail.recipient,
      subject: mail.subject,
      text: withOpenLinks(deps.config, mail.text),
      messageId: `<${mailId}@${host}>`,
    })
  } catch (error) {
    throw failureOf(error)
  } finally {
    transport.close()
  }
  await deps.db.updateTable('bank.mail').set({ sent_at: deps.clock.realNow() }).where('id', '=', mailId).execute()
}

export const deliverJob = defineJob({ name: 'mail.deliver', payload: delivery, work: deliver })

/** Whoever holds the token of a link can use it, wherever they have read it. */
const TOKEN_IN_LINK = /([?&]token=)[\w-]+/g

/** What the bank holds of a customer's mails, the tokens of links left out. */
export async function* exportedMails(deps: Pick<Deps, 'db'>, customerId: string): AsyncGenerator<Mail> {
  const reader = await readerOf(deps, customerId)
  const all = everyPage(
    (before: number | null) => mailsOf(deps, reader, { before, limit: PAGE_SIZE }),
    ({ place }) => place,
  )
  for await (const { mail } of all) yield { ...mail, text: mail.text.replace(TOKEN_IN_LINK, '$1removed') }
}

async function readerOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<Reader> {
  const { email, email_confirmed_at } = await db
    .selectFrom('bank.customer')
    .select(['email', 'email_confirmed_at'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return { id: customerId, email, emailConfirmed: email_confirmed_at !== null }
}
