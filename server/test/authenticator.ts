import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The options for a browser's credential API that matter here. */
export type CredentialRequest = {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

/** Deviations of an authenticator or its browser from correct behavior. */
export type Quirks = {
  /** Whether the authenticator verified its owner; true by default. */
  verified?: boolean
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** The signature counter that the authenticator reports. */
  counter?: number
  userHandle?: string | undefined
  /** Whether one bit of the signature is changed. */
  tampered?: boolean
  format?: string
  /** Whether the authenticator reports that the passkey can be backed up and is backed up: flags BE and BS. */
  synced?: boolean
}

export type Authenticator = {
  credentialId: string
  /** Returns the result of `navigator.credentials.create` as JSON. */
  create(request: CredentialRequest, quirks?: Quirks): { id: string; type: 'public-key' }
  /** Returns the result of `navigator.credentials.get` as JSON. */
  get(request: CredentialRequest, quirks?: Quirks): { id: string; type: 'public-key' }
}

type Encodable = Parameters<typeof isoCBOR.encode>[0]

const PRESENT = 0x01
const VERIFIED = 0x04
const BACKED_UP = 0x08 | 0x10
const ATTESTED = 0x40

const digest = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** Encodes a P-256 key with its point (RFC 9053: kty 2, alg -7, crv 1). */
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
 * Opens a device with one passkey and its browser (WebAuthn Level 3, sections 6.1 and 5.8.1). `counting` reports a signature
 * counter, as security keys do and phones do not. `synced` reports a passkey that is copied to other devices.
 */
export function openAuthenticator(origin: string, { counting = false, synced = false } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let counter = 0
  let owner: string | undefined

  const clientData = (type: string, credentialRequest: CredentialRequest, quirks: Quirks): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? credentialRequest.challenge,
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
    create: (request, quirks = {}) => {
      owner = request.user?.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const key = coseOf(publicKey.export({ format: 'jwk' }))
      const data = authenticatorData(request.rp?.id, ATTESTED, quirks)
      const authData = Buffer.concat([data, Buffer.alloc(16), length, credentialId, key])
      const attestation = isoCBOR.encode(
        new Map<string, Encodable>([
          ['fmt', quirks.format ?? 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      )
      return answer({
        clientDataJSON: clientData('webauthn.create', request, quirks).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal', 'made-up'],
      })
    },
    get: (request, quirks = {}) => {
      const client = clientData('webauthn.get', request, quirks)
      const data = authenticatorData(request.rpId, 0, quirks)
      const signature = sign('sha256', Buffer.concat([data, digest(client)]), privateKey)
      // Any bit would do; the last byte belongs to one of the signature's numbers.
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
