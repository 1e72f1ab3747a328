import { Link } from 'react-router'
import { cx } from '#web/ui/cx.ts'
import { CHOSEN_ROW, useRowLink } from '#web/ui/pane.ts'
import { Onward } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import type { WrittenArticle } from '#web/help/shared/article-texts.ts'
import { withArticle } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'

/** Shows an article as a row of a list. `search` is the query string of the list. */
function ArticleRow({ article, search, about }: { article: WrittenArticle; search: string; about: boolean }) {
  const inList = useRowLink(paths.helpArticle, article.id)
  return (
    <Link
      to={{ pathname: paths.helpArticle, search: withArticle(search, article.id) }}
      {...inList}
      className={cx(
        'block px-4 transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted',
        CHOSEN_ROW,
      )}
    >
      <span className="flex min-h-14 items-center gap-3 py-2.5">
        <span className="min-w-0 flex-1">
          <span className="block font-medium text-pretty [overflow-wrap:anywhere]">{article.title}</span>
          {about && <span className="block text-sm text-ink-soft">{article.topicName}</span>}
        </span>
        <Onward />
      </span>
    </Link>
  )
}

type ArticleRowsProps = {
  articles: readonly WrittenArticle[]
  search: string
  /** Whether each row also shows the article's topic. */
  about?: boolean
}

export function ArticleRows({ articles, search, about = false }: ArticleRowsProps) {
  return <Rows of={articles}>{(article) => <ArticleRow article={article} search={search} about={about} />}</Rows>
}
