import { useLingui } from '@lingui/react/macro'
import { LoadFailure, UNREACHABLE } from '#web/ui/load-failure.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

type ArticlesLoadingProps = { failed: boolean; isFetching: boolean; retry: () => void }

/** A placeholder while the texts of articles load, and after a failure. */
export function ArticlesLoading({ failed, isFetching, retry }: ArticlesLoadingProps) {
  const { t } = useLingui()
  if (failed) return <LoadFailure error={UNREACHABLE} refetch={retry} isFetching={isFetching} />
  return (
    <Card>
      <Loading label={t`Loading articles`} />
      <RowSkeletons count={4} />
    </Card>
  )
}
