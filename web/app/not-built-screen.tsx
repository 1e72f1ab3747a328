import { Sprout } from 'lucide-react'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Screen } from '#web/ui/screen.tsx'

/** Stands at an address of the spec until its screen is there. */
export function NotBuiltScreen({ title }: { title: string }) {
  return (
    <Screen title={title} back={paths.dashboard} className="justify-center">
      <Notice
        icon={Sprout}
        title="Not built yet"
        action={<ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>}
      >
        This part of Alder is still growing. Your balance, payments and transactions are ready now.
      </Notice>
    </Screen>
  )
}
