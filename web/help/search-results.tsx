import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { SearchX } from 'lucide-react'
import { ArticleRows } from '#web/help/article-row.tsx'
import type { WrittenArticle } from '#web/help/shared/article-texts.ts'
import { withSearched } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Card } from '#web/ui/screen.tsx'

type FoundProps = {
  /** As it was typed. */
  text: string
  found: readonly WrittenArticle[]
}

function useNothingFound(text: string): string {
  const { t } = useLingui()
  const name = text.trim()
  return t({ message: `Nothing found for “${name}”`, comment: 'The query is what was typed' })
}

/** Says how many articles were found to who cannot see it. It is there before there is anything to say, so that it is heard. */
export function FoundSaid({ text, found }: { text: string; found: FoundProps['found'] | null }) {
  const nothing = useNothingFound(text)
  const count = found?.length ?? 0
  return (
    <p role="status" className="sr-only">
      {found && (count === 0 ? nothing : plural(count, { one: '# result', other: '# results' }))}
    </p>
  )
}

/** The articles that were found; where there are none, the way to somebody to ask. */
export function SearchResults({ text, found }: FoundProps) {
  const { t } = useLingui()
  const nothing = useNothingFound(text)
  if (found.length > 0)
    return (
      <section data-results aria-label={t({ message: 'Results', comment: 'Of a search' })}>
        <Card>
          <ArticleRows articles={found} search={withSearched('', text)} about />
        </Card>
      </section>
    )
  return (
    <Notice
      icon={SearchX}
      title={nothing}
      action={
        <ButtonLink to={paths.aiAdvisor}>
          <Trans>Start Chat Now</Trans>
        </ButtonLink>
      }
    >
      <Trans>Try other words, or ask our AI advisor.</Trans>
    </Notice>
  )
}
