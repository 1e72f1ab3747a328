import pg from 'pg'
import { errorCode } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const CONNECT_MS = 5_000

/** What OpenSSL calls a certificate that nobody whom this process trusts has signed. */
const UNTRUSTED = /SELF_SIGNED|^UNABLE_TO/

/** One connection, for what is done once. Throws StartError where there is none to be had. */
export async function connectOnce(url: string): Promise<pg.Client> {
  let client: pg.Client | null = null
  try {
    // Certificates that the address names are read here.
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

/** Whether an address says who connects: the owner, who may migrate. The bank knows its own role without being told. */
export const namesOwner = (url: string): boolean => new URL(url).username !== ''
