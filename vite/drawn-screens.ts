import { paths } from '#web/lib/paths.ts'

/** Screens that depend on what their address carries, or that a link in a mail opens. */
const NOT_DRAWN = new Set<string>([
  paths.claim,
  paths.resetPassword,
  paths.confirmEmail,
  paths.review,
  paths.reviewDisputes,
  paths.sampleMail,
  paths.helpArticle,
])

/** Screens that look the same to everybody at first. */
export const DRAWN_SCREENS: readonly string[] = Object.values(paths).filter((path) => !NOT_DRAWN.has(path))
