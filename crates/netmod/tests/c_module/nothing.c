/* A library that is no network module. */

int nothing(void);

int nothing(void)
{
    return 0;
}
