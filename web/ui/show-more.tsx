import { Trans } from '@lingui/react/macro'
import { withFullStop } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'

type ShowMoreProps = {
  /** The query whose next page the button loads. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
    error: unknown
  }
}

/** The button that loads the next page of a list; nothing on the last page. */
export function ShowMore({ list }: ShowMoreProps) {
  return (
    <>
      {list.isFetchNextPageError && (
        <p role="alert" className="pt-4 text-center text-sm text-danger">
          {withFullStop(messageOf(list.error))}
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
