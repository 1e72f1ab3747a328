import { listCertificates } from '#server/carbon/offsets.ts'
import { carbonRoutes } from '#server/carbon/routes.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Estimated emissions of a customer's spending, and offsets for them. Certificates are kept after the account closes. */
export const carbon = defineSlice({
  name: 'carbon',
  routes: () => carbonRoutes,
  exportOf: (deps, { customerId }) => ({
    carbonCertificates: everyPage(
      async (last: string | null) => {
        const page = { limit: PAGE_SIZE, ...(last !== null && { cursor: last }) }
        return (await listCertificates(deps, customerId, page)).certificates
      },
      ({ id }) => id,
    ),
  }),
})
