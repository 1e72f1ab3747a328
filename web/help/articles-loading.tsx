import { useLingui } from '@lingui/react/macro'
import { errorText } from '#web/i18n/error-text.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

type ArticlesLoadingProps = { failed: boolean; isFetching: boolean; retry: () => void }

/** Stands for articles whose words have not come. */
export function ArticlesLoading({ failed, isFetching, retry }: ArticlesLoadingProps) {
  const { t } = useLingui()
  if (failed) return <Failure message={errorText('unreachable')} busy={isFetching} onRetry={retry} />
  return (
    <Card>
      <Loading label={t`Loading articles`} />
      <RowSkeletons count={4} />
    </Card>
  )
}
