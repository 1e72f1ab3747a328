import { paths } from '#web/lib/paths.ts'

/**
 * The screens that are not prerendered. Emailed links open the first three. Only reviewers use the next two, and only a sample
 * bank has the mailbox. The content of a help article depends on the query of its URL.
 */
const NOT_PRERENDERED = new Set<string>([
  paths.claim,
  paths.resetPassword,
  paths.confirmEmail,
  paths.review,
  paths.reviewDisputes,
  paths.sampleMail,
  paths.helpArticle,
])

/** Screens that look the same for every customer before their data arrives. */
export const PRERENDERED_SCREENS: readonly string[] = Object.values(paths).filter((path) => !NOT_PRERENDERED.has(path))
