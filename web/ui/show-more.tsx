import { Trans } from '@lingui/react/macro'
import { asProse } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'

type ShowMoreProps = {
  /** The query whose next page it shows. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
    error: unknown
  }
}

/** The way to the next page of a list; nothing where it has been shown to its end. */
export function ShowMore({ list }: ShowMoreProps) {
  return (
    <>
      {list.isFetchNextPageError && (
        <p role="alert" className="pt-4 text-center text-sm text-danger">
          {asProse(messageOf(list.error))}
        </p>
      )}
      {list.hasNextPage && (
        <div className="flex justify-center pt-4">
          <Button
            variant="secondary"
            size="small"
            busy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            <Trans>Show More</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
