import type { Translator } from '#server/platform/translations.ts'

/** What stands at the foot of each page; the numbers stand for themselves until they are known. */
export const pageOf = ({ i18n }: Translator): string =>
  i18n._({
    id: 'document.page',
    message: 'Page {page} of {pages}',
    values: { page: '{page}', pages: '{pages}' },
  })
