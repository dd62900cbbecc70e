/** The detail of a message with its editors: most of the code of this screen, and not needed for the list. */
import { deferred } from '../../lib/deferred.tsx';

export const { Component: MessageDetail, preload: preloadDetail } = deferred(async () => {
  const { MessageDetail: component } = await import('../detail/message-detail.tsx');
  return component;
});
