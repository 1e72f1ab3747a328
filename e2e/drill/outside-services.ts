import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { openRail, type TestRail } from '#server/test/rail.ts'

/** The outside services of a live bank. Each can be made unavailable. */
export type OutsideServices = {
  smtpUrl: string
  smsUrl: string
  rail: TestRail
  /** Makes the mail server refuse connections, or accept mail again. */
  mail(isThere: boolean): Promise<void>
  /** Makes the gateway for text messages answer 500, or accept texts again. */
  texts(isThere: boolean): void
  /** Makes the payment provider answer 500, or carry out requests again. */
  provider(isThere: boolean): void
  /** The number of mails and texts accepted, and the ids of the top-ups that the provider has confirmed. */
  taken: { mails: number; texts: number; confirmed: Set<string> }
  close(): Promise<void>
}

const AGAIN_MS = 500

export async function openOutsideServices(): Promise<OutsideServices> {
  const received: OutsideServices['taken'] = { mails: 0, texts: 0, confirmed: new Set() }
  const mails = mailServer(() => (received.mails += 1))
  await mails.open()
  let textsAre = true
  const gateway = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      if (textsAre) received.texts += 1
      outgoing.writeHead(textsAre ? 200 : 500).end()
    })
  })
  await listening(gateway)
  const rail = await openRail()
  let isClosed = false
  /** Confirms a top-up, and retries until the bank accepts the confirmation. */
  const confirm = async (request: Parameters<Parameters<TestRail['behave']>[0]>[1]): Promise<void> => {
    const { id, amountMinor, asset, callbackUrl } = request
    const event = { eventId: `confirmed-${id}`, type: 'collection.confirmed', id, amountMinor, asset }
    while (!isClosed) {
      const response = await rail.tell(callbackUrl, event).catch(() => null)
      await response?.text()
      if (response?.status === 200) return void received.confirmed.add(id)
      await sleep(AGAIN_MS)
    }
  }
  const provider = (isThere: boolean): void =>
    rail.behave((outgoing, request) => {
      outgoing.writeHead(isThere ? 202 : 500).end('{}')
      if (isThere && request.callbackUrl) void confirm(request)
    })
  provider(true)
  return {
    smtpUrl: `smtp://localhost:${mails.port()}`,
    smsUrl: `http://localhost:${portOf(gateway)}`,
    rail,
    mail: (isThere) => (isThere ? mails.open() : mails.close()),
    texts: (isThere) => (textsAre = isThere),
    provider,
    taken: received,
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

/** A mail server that can be closed and opened again on the same port. */
function mailServer(onMail: () => void) {
  let server: SMTPServer | null = null
  let port = 0
  return {
    port: () => port,
    open: async (): Promise<void> => {
      if (server) return
      const smtpServer = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, _session, done) {
          stream.resume().on('end', () => {
            onMail()
            done()
          })
        },
      })
      server = smtpServer
      smtpServer.on('error', () => undefined)
      smtpServer.listen(port, '127.0.0.1')
      await once(smtpServer.server, 'listening')
      port = (smtpServer.server.address() as AddressInfo).port
    },
    close: async (): Promise<void> => {
      const smtpServer = server
      server = null
      if (smtpServer) await new Promise<void>((resolve) => smtpServer.close(resolve))
    },
  }
}
