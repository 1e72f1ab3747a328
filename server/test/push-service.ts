import { createDecipheriv, createECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushMessage, PushSubscriptionContent } from '#contract/push.ts'

type Behaviour = (outgoing: ServerResponse) => void

/** A browser that receives messages through a push service. */
export type TestPushBrowser = {
  subscription: PushSubscriptionContent
  /** The received messages, decrypted. */
  messages: PushMessage[]
  /** The headers of the received messages. */
  headers: IncomingMessage['headers'][]
  /** Sets the push service's response for this browser; 201 by default. */
  behave(next: Behaviour | number): void
}

export type TestPushService = { browser(): TestPushBrowser; close(): Promise<void> }

const accept: Behaviour = (outgoing) => void outgoing.writeHead(201).end()

/** Opens a push service on this computer for browsers that it creates. */
export async function openPushService(): Promise<TestPushService> {
  const browsers = new Map<string, (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) => void>()
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const receive = browsers.get(incoming.url ?? '')
      if (receive) receive(incoming, body, outgoing)
      else outgoing.writeHead(404).end()
    })
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    browser: () => {
      const path = `/push/${randomBytes(12).toString('hex')}`
      const keys = createECDH('prime256v1')
      const [p256dh, auth] = [keys.generateKeys('base64url'), randomBytes(16)]
      let behaviour = accept
      const browser: TestPushBrowser = {
        subscription: { endpoint: url + path, keys: { p256dh, auth: auth.toString('base64url') } },
        messages: [],
        headers: [],
        behave: (next) => {
          behaviour = typeof next === 'number' ? (outgoing) => void outgoing.writeHead(next).end() : next
        },
      }
      browsers.set(path, (incoming, body, outgoing) => {
        browser.headers.push(incoming.headers)
        browser.messages.push(JSON.parse(decrypted(body, { keys, auth })) as PushMessage)
        behaviour(outgoing)
      })
      return browser
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

type Keys = { keys: ReturnType<typeof createECDH>; auth: Buffer }

/** Decrypts a message as a browser does (RFC 8291 and RFC 8188). Throws if it was encrypted for another browser. */
function decrypted(body: Buffer, { keys, auth }: Keys): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
  const [bank, content] = [body.subarray(21, 21 + keyLength), body.subarray(21 + keyLength)]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), bank])
  const secret = hkdfSync('sha256', keys.computeSecret(bank), auth, info, 32)
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(content.subarray(-16))
  const padded = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()])
  // The last record ends with a 2 and padding.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Returns whether the holder of this key signed a request for this push service (RFC 8292). */
export function isSignedBy(
  publicKey: string,
  { authorization = '' }: IncomingMessage['headers'],
  audience: string,
): boolean {
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: jwk as never, format: 'jwk', dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isSigned && key === publicKey && aud === audience
}
