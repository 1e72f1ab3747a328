import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test as base, expect } from '@playwright/test'
import { SMTPServer } from 'smtp-server'
import { startCluster } from '#server/platform/db/embedded.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'
import { startBank } from '#server/faults/bank-process.ts'

const run = promisify(execFile)

type Mail = { to: string; subject: string; text: string }

export type LiveBank = {
  url: string
  /** Waits for a mail to an address with these words in its subject, and returns the newest. */
  mailTo(address: string, subject: string): Promise<Mail>
  /** Returns the first link in the newest mail to an address with these words in its subject. */
  linkTo(address: string, subject: string): Promise<string>
  /** Makes a customer a reviewer, as an operator does. */
  makeReviewer(email: string): Promise<void>
  /** The payment provider, which collects money for the bank as soon as it gets a request. */
  rail: TestRail
  proveBooks(): Promise<void>
}

/** Opens a bank in live mode with its own PostgreSQL, an SMTP server that keeps all mail, and real time. */
async function openLiveBank(): Promise<{ bank: LiveBank; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'alder-live-'))
  chmodSync(dir, 0o711)
  const cluster = await startCluster({ dir })
  const { mails, smtp, smtpUrl } = await openMailServer()
  const rail = await openRail()
  rail.behave((outgoing, { callbackUrl, id, amountMinor, asset }) => {
    outgoing.writeHead(202).end()
    void rail.tell(callbackUrl, { eventId: randomUUID(), type: 'collection.confirmed', id, amountMinor, asset })
  })
  const port = await freePort()
  const env = {
    BANK_MODE: 'live',
    DATABASE_URL: cluster.ownerUrl(),
    BANK_SECRET: randomBytes(32).toString('base64url'),
    PUBLIC_URL: `http://localhost:${port}`,
    SMTP_URL: smtpUrl,
    RAIL_URL: rail.url,
    RAIL_SECRET: rail.secret,
    RAIL_METHODS: 'card,bank',
    PORT: String(port),
    LOG_LEVEL: 'error',
  }
  const server = await startBank({ dir, env })
  const command = (name: string, ...args: string[]) =>
    run(process.execPath, [`server/cli/${name}.ts`, ...args], { env: { ...process.env, ...env } })
  const mailTo: LiveBank['mailTo'] = async (address, subject) => {
    const find = () => mails.findLast((mail) => mail.to === address && mail.subject.includes(subject))
    await expect.poll(find, { message: `a mail to ${address} about ${subject}`, timeout: 45_000 }).toBeTruthy()
    return find() as Mail
  }
  return {
    bank: {
      url: server.url,
      mailTo,
      linkTo: async (address, subject) => {
        const [link] = /http:\/\/localhost:\S+/.exec((await mailTo(address, subject)).text) ?? []
        expect(link).toBeTruthy()
        return link as string
      },
      makeReviewer: async (email) => void (await command('reviewer', email)),
      rail,
      proveBooks: async () => void (await command('books')),
    },
    close: async () => {
      await server.end('SIGTERM')
      smtp.close()
      await rail.close()
      await cluster.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Starts a mail server that accepts mail without authentication, and keeps it. */
async function openMailServer() {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { subject, text } = readMail(Buffer.concat(parts).toString())
        for (const { address } of session.envelope.rcptTo) mails.push({ to: address, subject, text })
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  return { mails, smtp, smtpUrl: `smtp://127.0.0.1:${port}` }
}

/** Returns the subject and the plain text of a mail. Lines that the encoding has broken are joined again. */
function readMail(raw: string): Pick<Mail, 'subject' | 'text'> {
  const [head = '', ...body] = raw.replaceAll('\r\n', '\n').split('\n\n')
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1]
  const part = body.join('\n\n').split(`--${boundary}`)[1] ?? ''
  const [partHead = '', ...lines] = part.trimStart().split('\n\n')
  const text = lines.join('\n\n')
  const isQuoted = /^content-transfer-encoding: quoted-printable$/im.test(partHead)
  const decoded = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { subject: /^subject: (.*)$/im.exec(head)?.[1] ?? '', text: isQuoted ? decoded : text }
}

/** Tests with a live bank of their own, one for each worker that uses it. */
export const test = base.extend<object, { live: LiveBank }>({
  live: [
    // Playwright reads from the pattern which fixtures this one needs: none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { bank, close } = await openLiveBank()
      await use(bank)
      await close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})
