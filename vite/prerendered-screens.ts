import { paths } from '#web/lib/paths.ts'

/** Screens that depend on the query of their address, or that a link in a mail opens. */
const NOT_DRAWN = new Set<string>([
  paths.claim,
  paths.resetPassword,
  paths.confirmEmail,
  paths.review,
  paths.reviewDisputes,
  paths.sampleMail,
  paths.helpArticle,
])

/** Screens that look the same for every customer before their data arrives. */
export const PRERENDERED_SCREENS: readonly string[] = Object.values(paths).filter((path) => !NOT_DRAWN.has(path))
