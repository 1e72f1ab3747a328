import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { toast } from '#web/lib/toast.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { pushPermission, turnPushOff, turnPushOn } from '#web/notifications/browser-push.ts'
import { pushQuery } from '#web/notifications/queries.ts'
import { Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

/** Shows whether this browser displays notices while the app is closed. */
export function PushSection() {
  const { t } = useLingui()
  return (
    <Section title={t`This Device`}>
      <Card>
        <Push />
      </Card>
    </Section>
  )
}

function Push() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { data } = useQuery(pushQuery)
  const [permission, setPermission] = useState(pushPermission)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn) return turnPushOff()
      if (data) setPermission(await turnPushOn(data.publicKey))
    },
    onSuccess: (_done, isOn) => {
      if (!isOn) toast.success(t`Notifications are off on this device`)
      else if (pushPermission() === 'granted') toast.success(t`Notifications are on for this device`)
    },
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  const label = t`Push Notifications`
  if (permission === 'unsupported' || permission === 'denied') {
    return (
      <Row
        icon={Smartphone}
        tint="plain"
        title={label}
        description={
          permission === 'denied' ? (
            <Trans>Blocked in your browser. Allow notifications for this site in its settings, then come back</Trans>
          ) : (
            <Trans>
              This browser can't show notifications. On an iPhone or iPad, add Alder to your Home Screen first
            </Trans>
          )
        }
      />
    )
  }
  return (
    <SwitchRow
      icon={Smartphone}
      label={label}
      description={t`Hear from us while Alder is closed`}
      checked={isPending ? variables : data?.on}
      disabled={isPending || !data}
      onChange={mutate}
    />
  )
}
