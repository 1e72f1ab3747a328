/** Screens that look the same to everybody at first. Those that a link in a mail opens depend on what it carries. */
export const DRAWN_SCREENS = [
  '/',
  '/signup',
  '/login',
  '/kyc',
  '/dashboard',
  '/transfer',
  '/transactions',
  '/transaction-detail',
  '/add-money',
  '/rewards',
  '/settings',
  '/personal-info',
  '/security-privacy',
  '/security-privacy/devices',
  '/security-privacy/activity',
  '/language',
]
