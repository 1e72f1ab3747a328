import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { openRail, type TestRail } from '#server/test/rail.ts'

/** Whom a live bank relies on outside: each can be away. */
export type World = {
  smtpUrl: string
  smsUrl: string
  rail: TestRail
  /** The mail server refuses connections, or takes mail again. */
  mail(isThere: boolean): Promise<void>
  /** The gateway for texts answers 500, or takes texts again. */
  texts(isThere: boolean): void
  /** The payment provider answers 500, or does what it is asked. */
  provider(isThere: boolean): void
  /** How many mails and texts were taken, and which top-ups the provider has confirmed. */
  taken: { mails: number; texts: number; confirmed: Set<string> }
  close(): Promise<void>
}

const AGAIN_MS = 500

export async function openWorld(): Promise<World> {
  const taken: World['taken'] = { mails: 0, texts: 0, confirmed: new Set() }
  const mails = mailServer(() => (taken.mails += 1))
  await mails.open()
  let textsAre = true
  const gateway = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      if (textsAre) taken.texts += 1
      outgoing.writeHead(textsAre ? 200 : 500).end()
    })
  })
  await listening(gateway)
  const rail = await openRail()
  let isClosed = false
  /** Says that the money came in, until the bank has heard it. */
  const confirm = async (asked: Parameters<Parameters<TestRail['behave']>[0]>[1]): Promise<void> => {
    const { id, amountMinor, asset, callbackUrl } = asked
    const event = { eventId: `confirmed-${id}`, type: 'collection.confirmed', id, amountMinor, asset }
    while (!isClosed) {
      const response = await rail.tell(callbackUrl, event).catch(() => null)
      await response?.text()
      if (response?.status === 200) return void taken.confirmed.add(id)
      await sleep(AGAIN_MS)
    }
  }
  const provider = (isThere: boolean): void =>
    rail.behave((outgoing, asked) => {
      outgoing.writeHead(isThere ? 202 : 500).end('{}')
      if (isThere && asked.callbackUrl) void confirm(asked)
    })
  provider(true)
  return {
    smtpUrl: `smtp://localhost:${mails.port()}`,
    smsUrl: `http://localhost:${portOf(gateway)}`,
    rail,
    mail: (isThere) => (isThere ? mails.open() : mails.close()),
    texts: (isThere) => (textsAre = isThere),
    provider,
    taken,
    close: async () => {
      isClosed = true
      gateway.closeAllConnections()
      gateway.close()
      await mails.close()
      await rail.close()
    },
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

/** A mail server that can be opened again at the same port. */
function mailServer(onMail: () => void) {
  let server: SMTPServer | null = null
  let port = 0
  return {
    port: () => port,
    open: async (): Promise<void> => {
      if (server) return
      const own = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, _session, done) {
          stream.resume().on('end', () => {
            onMail()
            done()
          })
        },
      })
      server = own
      own.on('error', () => undefined)
      own.listen(port, '127.0.0.1')
      await once(own.server, 'listening')
      port = (own.server.address() as AddressInfo).port
    },
    close: async (): Promise<void> => {
      const own = server
      server = null
      if (own) await new Promise<void>((resolve) => own.close(resolve))
    },
  }
}
