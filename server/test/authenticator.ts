import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a browser's credential API is asked for, as far as it matters here. */
export type Asked = {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

/** What an authenticator or its browser does otherwise than it should. */
export type Quirks = {
  /** Whether the owner was looked at; true unless told. */
  verified?: boolean
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** How often it says it has signed. */
  counter?: number
  userHandle?: string | undefined
  /** Changes one bit of what was signed. */
  tampered?: boolean
  format?: string
  /** Says that its maker may copy it to other devices, and has: flags BE and BS. */
  synced?: boolean
}

export type Authenticator = {
  credentialId: string
  /** What `navigator.credentials.create` answers, as JSON. */
  create(asked: Asked, quirks?: Quirks): { id: string; type: 'public-key' }
  /** What `navigator.credentials.get` answers, as JSON. */
  get(asked: Asked, quirks?: Quirks): { id: string; type: 'public-key' }
}

type Encodable = Parameters<typeof isoCBOR.encode>[0]

const PRESENT = 0x01
const VERIFIED = 0x04
const BACKED_UP = 0x08 | 0x10
const ATTESTED = 0x40

const digest = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** RFC 9053: a P-256 key (kty 2, alg -7, crv 1) with its point. */
function coseOf(jwk: { x?: string; y?: string }): Uint8Array {
  const point = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(jwk.x)],
      [-3, point(jwk.y)],
    ]),
  )
}

/**
 * A device with one passkey, and the browser it is used from (WebAuthn Level 3, sections 6.1 and 5.8.1). `counting`: it
 * says how often it has signed, as a security key does and a phone does not. `synced`: its maker copies it to other devices.
 */
export function openAuthenticator(origin: string, { counting = false, synced = false } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let counter = 0
  let owner: string | undefined

  const clientData = (type: string, asked: Asked, quirks: Quirks): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? asked.challenge,
        origin: quirks.origin ?? origin,
        crossOrigin: false,
      }),
    )

  const authenticatorData = (rpId: string | undefined, flags: number, quirks: Quirks): Buffer => {
    if (counting) counter += 1
    const head = Buffer.alloc(5)
    head.writeUInt8(
      flags | PRESENT | (quirks.verified === false ? 0 : VERIFIED) | ((quirks.synced ?? synced) ? BACKED_UP : 0),
    )
    head.writeUInt32BE(quirks.counter ?? counter, 1)
    return Buffer.concat([digest(quirks.rpId ?? rpId ?? ''), head])
  }

  const answer = (response: object) => {
    const id = credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response }
  }

  return {
    credentialId: credentialId.toString('base64url'),
    create: (asked, quirks = {}) => {
      owner = asked.user?.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = coseOf(publicKey.export({ format: 'jwk' }))
      const data = authenticatorData(asked.rp?.id, ATTESTED, quirks)
      const authData = Buffer.concat([data, Buffer.alloc(16), length, credentialId, key])
      const attestation = isoCBOR.encode(
        new Map<string, Encodable>([
          ['fmt', quirks.format ?? 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      )
      return answer({
        clientDataJSON: clientData('webauthn.create', asked, quirks).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal', 'made-up'],
      })
    },
    get: (asked, quirks = {}) => {
      const client = clientData('webauthn.get', asked, quirks)
      const data = authenticatorData(asked.rpId, 0, quirks)
      const signature = sign('sha256', Buffer.concat([data, digest(client)]), privateKey)
      // Which bit matters not: the last is one of the signature's own numbers.
      if (quirks.tampered) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: 'userHandle' in quirks ? quirks.userHandle : owner,
      })
    },
  }
}
