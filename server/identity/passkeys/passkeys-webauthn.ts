import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { COSEALG, decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import { isIP } from 'node:net'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { KnownPasskey, NewPasskey, OwnedPasskey, SignedPasskey } from '#server/identity/passkeys/passkeys.ts'

/** How long a person may take, in milliseconds: what the one-time tokens that the challenges are kept in last. */
const TIMEOUT_MS = 5 * 60_000

/** The bank as passkeys know it. `id`: its host's name, to which they are bound for ever. */
export type RelyingParty = { origin: string; id: string }

/** Null where the bank is reached by a number: WebAuthn wants a name. */
export function relyingPartyAt(origin: string): RelyingParty | null {
  const { hostname } = new URL(origin)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { origin, id: hostname } : null
}

/** Throws Refusal `passkey_unavailable`. */
export function requireRelyingParty(origin: string): RelyingParty {
  const party = relyingPartyAt(origin)
  if (!party) throw new Refusal('passkey_unavailable')
  return party
}

/**
 * What every device can sign with one of. Not what the library offers beyond these where it can: in Node that is an
 * experiment still, and says so to whoever starts the bank.
 */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

const UUID_BYTES = 16

/** What a passkey carries to say whose it is. */
function userHandleOf(customerId: string): Uint8Array<ArrayBuffer> {
  const handle = new Uint8Array(UUID_BYTES)
  handle.set(Buffer.from(customerId.replaceAll('-', ''), 'hex'))
  return handle
}

/** A passkey as browsers are told of it. */
const described = ({ id, transports = [] }: KnownPasskey) => ({ id, transports })

/** What a browser is asked to make a passkey with: one that names its owner by itself, and only with a look at them. */
export function creationOptions(party: RelyingParty, customer: Customer, known: readonly KnownPasskey[]) {
  return generateRegistrationOptions({
    rpName: 'Alder',
    rpID: party.id,
    userID: userHandleOf(customer.id),
    userName: customer.email,
    userDisplayName: customer.fullName,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser is asked to sign with. Where no passkeys are named it offers those it has for the bank. */
export function requestOptions(
  party: RelyingParty,
  { known = [], challenge }: { known?: readonly KnownPasskey[]; challenge?: string } = {},
) {
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: known.map(described),
    ...(challenge === undefined ? {} : { challenge: isoBase64URL.toBuffer(challenge) }),
  })
}

/** `challenge`: base64url. */
export type Expected = { party: RelyingParty; challenge: string }

const expectations = ({ party, challenge }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
})

/**
 * None was asked for. A device that has no certificate may sign its own all the same; what brings certificates is not
 * looked at, since the library fetches from addresses that are written in them.
 */
function bringsNoCertificates(response: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'))
}

/** The passkey that a browser has made as it was asked to. Throws Refusal `passkey_refused` for any other. */
export async function verifyCreation(expected: Expected, credential: object): Promise<Omit<NewPasskey, 'name'>> {
  const response = credential as RegistrationResponseJSON
  try {
    if (!bringsNoCertificates(response)) throw new Error('There are certificates')
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectations(expected),
      response,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!registrationInfo) throw new Error('The signature is wrong')
    const { credential: made, credentialBackedUp, credentialDeviceType } = registrationInfo
    return { ...made, synced: credentialBackedUp, mayBeCopied: credentialDeviceType === 'multiDevice' }
  } catch (error) {
    // The library tells by throwing, whatever is wrong with what came.
    throw new Refusal('passkey_refused', undefined, { cause: error })
  }
}

/**
 * What a passkey has signed as it was asked to, its owner looked at. Where anybody's was asked for, it has to say whose
 * it is (WebAuthn Level 3, section 7.2, step 6). Throws Refusal `passkey_refused` for anything else.
 */
export async function verifyAssertion(
  expected: Expected,
  { passkey, customer }: OwnedPasskey,
  { credential, asked }: { credential: object; asked: 'somebody' | 'anybody' },
): Promise<SignedPasskey> {
  const response = credential as AuthenticationResponseJSON
  try {
    const { userHandle } = response.response
    const silent = userHandle === undefined || userHandle === null
    if (silent ? asked === 'anybody' : userHandle !== isoBase64URL.fromBuffer(userHandleOf(customer.id))) {
      throw new Error('The passkey does not say that it is theirs')
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectations(expected),
      response,
      // What a counter that has not gone up means is decided where it is noted.
      credential: { ...passkey, counter: 0 },
    })
    if (!verified) throw new Error('The signature is wrong')
    const { newCounter, credentialBackedUp } = authenticationInfo
    return {
      passkeyId: passkey.passkeyId,
      customerId: customer.id,
      counter: newCounter,
      synced: credentialBackedUp,
      // As it was made: a clone could say anything now.
      mayBeCopied: passkey.mayBeCopied,
    }
  } catch (error) {
    throw new Refusal('passkey_refused', undefined, { cause: error })
  }
}
