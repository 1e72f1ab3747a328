import pg from 'pg'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const CONNECT_MS = 5_000

/** Matches OpenSSL's code for a certificate without a trusted signature. */
const UNTRUSTED = /SELF_SIGNED|^UNABLE_TO/

/** Opens one connection for a single task. Throws StartError if the database cannot be reached. */
export async function connectOnce(url: string): Promise<pg.Client> {
  let client: pg.Client | null = null
  try {
    // The constructor reads the certificate files that the address names.
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => undefined)
    await client.connect()
    return client
  } catch (error) {
    await client?.end().catch(() => undefined)
    throw new StartError(`The database at ${new URL(url).host} does not let Alder in: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const reason = error.message.replace(/\.$/, '')
  return UNTRUSTED.test(errorCode(error) ?? '')
    ? `${reason}; name the file with the certificate of its authority in DATABASE_URL, as sslrootcert=/path/ca.pem`
    : reason
}

/**
 * Returns whether an address contains a user. That user is the database's owner, who may migrate. An address without a user is
 * completed with the serving role, which the bank derives from its secret.
 */
export const namesOwner = (url: string): boolean => new URL(url).username !== ''
