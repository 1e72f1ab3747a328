import { loanRoutes } from '#server/loans/routes.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Personal loans. */
export const loans = defineSlice({
  name: 'loans',
  routes: loanRoutes,
})
