import type { Translator } from '#server/platform/translations.ts'

/** Returns the text at the bottom of each page. The placeholders stay until the numbers are known. */
export const pageNumberText = ({ i18n }: Translator): string =>
  i18n._({
    id: 'document.page',
    message: 'Page {page} of {pages}',
    values: { page: '{page}', pages: '{pages}' },
  })
