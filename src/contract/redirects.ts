/** Where redirects led an attempt. */
export { lastFollowed } from '../core/model/followed.ts';
