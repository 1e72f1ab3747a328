import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createApi } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'

/** Serves the bank over HTTP on a free port. */
export async function serve(deps: Deps): Promise<{ url: string; close(): void }> {
  const api = createApi(deps, { openCustomer: () => Promise.reject(new Error('Nobody visits here')) })
  const server = createHttpServer(deps, api).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
