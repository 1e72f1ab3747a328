import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { SearchX } from 'lucide-react'
import { ArticleRows } from '#web/help/article-row.tsx'
import type { WrittenArticle } from '#web/help/shared/article-texts.ts'
import { withSearchText } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card } from '#web/ui/screen.tsx'

type SearchResultsProps = {
  /** The search text as typed. */
  text: string
  results: readonly WrittenArticle[]
}

function useNothingFound(text: string): string {
  const { t } = useLingui()
  const name = text.trim()
  return t({ message: `Nothing found for “${name}”`, comment: '{name} is the text that the customer typed' })
}

/**
 * Announces the number of results to screen readers. The live region exists from the start, because a later one would not be
 * announced.
 */
export function SearchCountAnnouncement({
  text,
  results,
}: {
  text: string
  results: SearchResultsProps['results'] | null
}) {
  const nothingFoundText = useNothingFound(text)
  const count = results?.length ?? 0
  return (
    <p role="status" className="sr-only">
      {results && (count === 0 ? nothingFoundText : plural(count, { one: '# result', other: '# results' }))}
    </p>
  )
}

/** Lists the matching articles. Without a match, it shows a link to the AI advisor. */
export function SearchResults({ text, results }: SearchResultsProps) {
  const { t } = useLingui()
  const nothingFoundText = useNothingFound(text)
  if (results.length > 0)
    return (
      <section data-results aria-label={t({ message: 'Results', comment: 'The results of a search' })}>
        <Card>
          <ArticleRows articles={results} search={withSearchText('', text)} about />
        </Card>
      </section>
    )
  return (
    <EmptyState
      icon={SearchX}
      title={nothingFoundText}
      action={
        <ButtonLink to={paths.aiAdvisor}>
          <Trans>Start Chat Now</Trans>
        </ButtonLink>
      }
    >
      <Trans>Try different words, or ask our AI advisor.</Trans>
    </EmptyState>
  )
}
